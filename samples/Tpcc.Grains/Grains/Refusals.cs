using System.Runtime.ExceptionServices;

namespace Tpcc.Grains;

/// <summary>Calls made at once, of which one may refuse.</summary>
internal static class Refusals
{
    /// <summary>
    /// Waits for all. If one has refused, throws that: the others then hear that their transaction has aborted, and
    /// <see cref="Task.WhenAll(Task[])"/> would throw what stands first in its list.
    /// </summary>
    public static async Task WhenAll(params Task[] calls)
    {
        try
        {
            await Task.WhenAll(calls);
        }
        catch
            when (calls.Select(call => call.Exception?.InnerException).OfType<InvalidItemException>()
                .FirstOrDefault() is { } refusal)
        {
            ExceptionDispatchInfo.Throw(refusal);
        }
    }
}
