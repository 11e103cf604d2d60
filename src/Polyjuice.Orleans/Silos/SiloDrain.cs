using Orleans.Runtime;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Lets a silo that leaves in good order answer first. Whoever waits for an answer of a silo that is gone learns no
/// more than that it is gone: the call may have committed, and may not be repeated.
/// </summary>
internal sealed class SiloDrain(SiloIdentity self, GrainPlaces places)
{
    /// <summary>
    /// Membership is told at the same time, and may be out of reach: then others go on sending calls here.
    /// </summary>
    private static readonly TimeSpan s_tellMax = TimeSpan.FromSeconds(5);

    /// <summary>
    /// For calls to end by themselves. What takes longer is ended by the engine's end, and is made again elsewhere.
    /// </summary>
    private static readonly TimeSpan s_drainMax = TimeSpan.FromSeconds(10);

    /// <summary>For answers of calls that the engine's end has ended.</summary>
    private static readonly TimeSpan s_answerMax = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan s_lookInterval = TimeSpan.FromMilliseconds(20);

    /// <summary>Calls that started a transaction, and are not answered yet.</summary>
    public CallsUnderWay Roots { get; } = new();

    /// <summary>
    /// Before Orleans deactivates grains and stops to send. What comes in the meantime is of those who have not heard
    /// yet.
    /// </summary>
    public async Task DrainAsync(CancellationToken cancellationToken)
    {
        using var bound = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        bound.CancelAfter(s_tellMax + s_drainMax);
        var until = Environment.TickCount64 + (long)s_tellMax.TotalMilliseconds;
        try
        {
            while (places.View.StatusOf(self.Node) == SiloStatus.Active && Environment.TickCount64 < until)
                await Task.Delay(s_lookInterval, bound.Token).ConfigureAwait(false);
            await Roots.WhenEndedAsync(bound.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // No time is left, or it was killed: those that wait learn that the silo is gone.
        }
    }

    /// <summary>The engine has stopped, so all of them end. Orleans still sends answers, and no more soon.</summary>
    public async Task AnswerAsync()
    {
        using var bound = new CancellationTokenSource(s_answerMax);
        try
        {
            // Those that began after the silo said that it leaves, and then those of before, if some are left.
            await Roots.WhenEndedAsync(bound.Token).ConfigureAwait(false);
            await Roots.WhenEndedAsync(bound.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // As above.
        }
    }
}
