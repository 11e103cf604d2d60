using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Health;

/// <summary>Whether a silo is to be given work, and whether it can do all of it.</summary>
internal sealed class ReadinessCheck(
    IPolyjuiceSilo silo, IEnginePulse pulse, OpenTransactions open, Refusals refusals,
    IOptions<PolyjuiceHealthOptions> options) : IHealthCheck
{
    /// <inheritdoc/>
    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var data = new Dictionary<string, object>();

        // First: how far the silo has got is asked on the engine's turn.
        var unwell = await EngineAnswer.AskAsync(silo, pulse, options.Value, context, data, cancellationToken)
            .ConfigureAwait(false);
        if (unwell is { } result) return result;
        var readiness = silo.Readiness;
        (data["partitions"], data["owned"]) = (readiness.Partitions, readiness.Owned);
        (data["served"], data["unwritable"]) = (readiness.Served, readiness.Unwritable);
        (data["open"], data["waiting"], data["refused"]) = (open.Open, open.Held, refusals.Count);
        if (AdviceOf(readiness) is { } advice)
            return new(context.Registration.FailureStatus, $"{readiness}{advice}", data: data);

        if (readiness.Unwritable > 0)
        {
            return HealthCheckResult.Degraded(
                $"{readiness}. Transactions that need them are refused until the store takes appends again.",
                data: data);
        }

        if (readiness.IsTakingOver)
        {
            return HealthCheckResult.Degraded(
                $"{readiness}: it reads the logs of those that have come to it, and calls that need them wait.",
                data: data);
        }

        return refusals.WithinLast(options.Value.OverloadWindow)
            ? HealthCheckResult.Degraded(
                $"{readiness}, and refuses calls for overload. Add silos, or have callers send less.", data: data)
            : HealthCheckResult.Healthy(readiness.ToString(), data);
    }

    // What to do, if it serves less than it should.
    private static string? AdviceOf(SiloReadiness readiness) =>
        readiness.IsStopping ? ": send it no work"
        : readiness.Membership != SiloStatus.Active || readiness.Partitions == 0 ? ": wait until it has joined"
        : readiness.Served == readiness.Owned || readiness.IsTakingOver ? null
        : readiness.Problem is null ? ": wait until it has read their logs"
        : ". See to what keeps it from reading them";
}
