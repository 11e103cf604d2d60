using System.Diagnostics;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Health;

/// <inheritdoc/>
internal sealed class EnginePulse(EngineTurn turn) : IEnginePulse
{
    private readonly Lock _gate = new();
    private Task<TimeSpan> _pulse = Task.FromResult(TimeSpan.Zero);

    /// <inheritdoc/>
    public Task<TimeSpan> PulseAsync()
    {
        lock (_gate)
        {
            if (!_pulse.IsCompleted) return _pulse;
            var answer = new TaskCompletionSource<TimeSpan>(TaskCreationOptions.RunContinuationsAsynchronously);
            var askedAt = Stopwatch.GetTimestamp();
            turn.Post(_ => answer.SetResult(Stopwatch.GetElapsedTime(askedAt)), null);
            return _pulse = answer.Task;
        }
    }
}
