using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// The loops that wait for a worker, first come, first served, but silos before clients: what silos have begun is in others' way until it is done, and clients begin more. A client that has waited for long enough comes first all the same. Thread-safe.
/// </summary>
/// <param name="clientPatience">How long a client's loop lets those of silos go first, in microseconds.</param>
internal sealed class ReadyLoops(long clientPatience)
{
    /// <summary>For how long a loop is left to the worker that ran it last, while that looks for work, in microseconds.</summary>
    private const long LastWorkerGrace = 2;

    private readonly ConcurrentQueue<RealTimeLoop> _silos = new();
    private readonly ConcurrentQueue<RealTimeLoop> _clients = new();

    /// <summary>Whether there is none.</summary>
    public bool IsEmpty => _silos.IsEmpty && _clients.IsEmpty;

    /// <summary>Puts one last among its kind.</summary>
    public void Add(RealTimeLoop loop) => (loop.IsClient ? _clients : _silos).Enqueue(loop);

    /// <summary>Takes the one whose turn it is, if another worker is not nearer to it.</summary>
    public bool TryTake(LoopWorker worker, [NotNullWhen(true)] out RealTimeLoop? loop)
    {
        _silos.TryPeek(out var silo);
        if (_clients.TryPeek(out var client) && (silo is null || Clock.UtcMicroseconds - client.ReadySince >= clientPatience))
        {
            if (!IsLeft(client, worker)) return _clients.TryDequeue(out loop);
        }
        else if (silo is not null && !IsLeft(silo, worker))
        {
            return _silos.TryDequeue(out loop);
        }

        loop = null;
        return false;
    }

    // What a loop needs is still in the caches of the processor where it ran; its worker sees within a microsecond that it is ready, if it is looking.
    private static bool IsLeft(RealTimeLoop loop, LoopWorker worker) =>
        loop.Worker is { IsLooking: true } last && !ReferenceEquals(last, worker) && Clock.UtcMicroseconds - loop.ReadySince <= LastWorkerGrace;

    /// <summary>For how long the one has waited that has waited longest, in microseconds.</summary>
    public long LongestWait(long now)
    {
        var since = now;
        if (_silos.TryPeek(out var silo)) since = Math.Min(since, silo.ReadySince);
        if (_clients.TryPeek(out var client)) since = Math.Min(since, client.ReadySince);
        return now - since;
    }
}
