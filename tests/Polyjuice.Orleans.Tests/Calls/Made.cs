using System.Reflection;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>Makes exceptions that Orleans keeps to itself.</summary>
internal static class Made
{
    public static OrleansMessageRejectionException Rejection(string message) =>
        (OrleansMessageRejectionException)Activator.CreateInstance(
            typeof(OrleansMessageRejectionException),
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic,
            null,
            [message],
            null)!;
}
