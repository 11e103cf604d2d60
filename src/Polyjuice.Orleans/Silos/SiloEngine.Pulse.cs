using System.Diagnostics;
using Polyjuice.Orleans.Health;

namespace Polyjuice.Orleans.Silos;

// Whether the turn gets on.
internal sealed partial class SiloEngine : IEnginePulse
{
    private readonly Lock _pulseGate = new();
    private Task<TimeSpan> _pulse = Task.FromResult(TimeSpan.Zero);

    /// <inheritdoc/>
    public Task<TimeSpan> PulseAsync()
    {
        lock (_pulseGate)
        {
            if (!_pulse.IsCompleted) return _pulse;
            var answer = new TaskCompletionSource<TimeSpan>(TaskCreationOptions.RunContinuationsAsynchronously);
            var askedAt = Stopwatch.GetTimestamp();
            Turn.Post(_ => answer.SetResult(Stopwatch.GetElapsedTime(askedAt)), null);
            return _pulse = answer.Task;
        }
    }
}
