using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Agents;

/// <summary>
/// The learned backoff (paper §4.5): one value per transaction type, multiplied by 1 + α when an attempt aborts and
/// divided by it when one commits, α from the policy by outcome and number of prior aborts.
/// </summary>
internal sealed class Backoff(EngineOptions options, IEngineHost host)
{
    private double[] _byType = [];

    public void Committed(PolicyTable policy, int typeId, int priorAborts)
    {
        if ((uint)typeId >= (uint)_byType.Length) return;
        ref var backoff = ref _byType[typeId];
        if (backoff == 0) return;
        backoff /= 1 + policy.BackoffMultiplier(typeId, committed: true, priorAborts);
        if (backoff < options.BackoffUnitMicroseconds) backoff = 0;
    }

    /// <summary>
    /// How long to wait before the next attempt, in microseconds; jittered by half, so that rivals do not meet again.
    /// </summary>
    public long Aborted(PolicyTable policy, int typeId, int priorAborts)
    {
        if (typeId >= _byType.Length) Array.Resize(ref _byType, (typeId + 1) * 2);
        ref var backoff = ref _byType[typeId];
        var multiplier = policy.BackoffMultiplier(typeId, committed: false, priorAborts);
        if (multiplier > 0)
            backoff = Math.Min(
                Math.Max(backoff, options.BackoffUnitMicroseconds) * (1 + multiplier), options.BackoffMaxMicroseconds);
        return (long)(backoff * (0.5 + ((host.NextRandom() >> 11) * (1.0 / (1UL << 53)))));
    }
}
