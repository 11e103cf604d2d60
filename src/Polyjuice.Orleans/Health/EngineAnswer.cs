using Microsoft.Extensions.Diagnostics.HealthChecks;
using Orleans.Configuration;

namespace Polyjuice.Orleans.Health;

/// <summary>What both checks ask first: whether the engine is there, and answers.</summary>
internal static class EngineAnswer
{
    /// <summary>Asks.</summary>
    /// <param name="silo">The silo.</param>
    /// <param name="pulse">Its engine.</param>
    /// <param name="options">For how long it may take.</param>
    /// <param name="context">The check that asks.</param>
    /// <param name="data">What is found out goes here.</param>
    /// <param name="cancellationToken">Who asks waits no longer.</param>
    /// <returns>The check's result, if the engine is not well; otherwise <see langword="null"/>.</returns>
    public static async Task<HealthCheckResult?> AskAsync(
        IPolyjuiceSilo silo, IEnginePulse pulse, PolyjuiceHealthOptions options, HealthCheckContext context,
        Dictionary<string, object> data, CancellationToken cancellationToken)
    {
        if (silo.HasFailed)
        {
            return Fail(
                "The transaction engine has stopped by itself: an invariant is broken, or the other silos have "
                + "declared this one dead. Restart the process; the log says which (category Polyjuice.Engine).");
        }

        try
        {
            var taken = await pulse.PulseAsync().WaitAsync(options.AnswerTimeout, cancellationToken)
                .ConfigureAwait(false);
            data["answer_seconds"] = taken.TotalSeconds;
            return null;
        }
        catch (TimeoutException)
        {
            return Fail(
                $"The transaction engine has not answered for {options.AnswerTimeout.TotalSeconds} s. "
                + "Take a dump of the process if you can, and restart it.");
        }

        HealthCheckResult Fail(string text) => new(context.Registration.FailureStatus, text, data: data);
    }
}
