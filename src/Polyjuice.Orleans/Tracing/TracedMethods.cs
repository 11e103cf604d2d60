using System.Collections.Concurrent;
using System.Reflection;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tracing;

/// <summary>What traces call the methods of requests: one object for each. Thread-safe.</summary>
internal static class TracedMethods
{
    private static readonly ConcurrentDictionary<(GrainType, Type, MethodInfo), TracedMethod> s_methods = new();

    /// <summary>The method of a request to a grain.</summary>
    public static TracedMethod Of(IInvokable request, IGrainContext grain) => s_methods.GetOrAdd(
        (grain.GrainId.Type, request.GetInterfaceType(), request.GetMethod()),
        static key => TracedMethod.Of(
            key.Item1.ToString()!,
            key.Item2,
            key.Item3.Name,
            key.Item3.GetParameters().Select(parameter => parameter.ParameterType)));
}
