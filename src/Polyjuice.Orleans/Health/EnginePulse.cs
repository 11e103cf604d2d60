using System.Diagnostics;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Health;

/// <inheritdoc/>
internal sealed class EnginePulse(IReadOnlyList<SiloEngine> engines) : IEnginePulse
{
    private readonly Lock _gate = new();
    private Task<TimeSpan> _pulse = Task.FromResult(TimeSpan.Zero);

    /// <inheritdoc/>
    public Task<TimeSpan> PulseAsync()
    {
        lock (_gate)
        {
            if (!_pulse.IsCompleted) return _pulse;
            return _pulse = SlowestAsync();
        }
    }

    private async Task<TimeSpan> SlowestAsync() =>
        (await Task.WhenAll([.. engines.Select(static engine => AskAsync(engine.Turn))]).ConfigureAwait(false)).Max();

    private static Task<TimeSpan> AskAsync(EngineTurn turn)
    {
        var answer = new TaskCompletionSource<TimeSpan>(TaskCreationOptions.RunContinuationsAsynchronously);
        var askedAt = Stopwatch.GetTimestamp();
        turn.Post(_ => answer.SetResult(Stopwatch.GetElapsedTime(askedAt)), null);
        return answer.Task;
    }
}
