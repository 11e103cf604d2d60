using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Storage;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// One batch after the other into a log in a file, each flushed: what a store's
/// thread, and the disk, take for it. With and without room that is written ahead.
/// </summary>
[WarmupCount(2), IterationCount(20), InvocationCount(512)]
public class LogAppend
{
    private const int BatchBytes = 2_500;
    private readonly byte[] _batch = new byte[BatchBytes];
    private string _folder = "";
    private SegmentedLogStore? _store;
    private IPartitionLog? _log;
    private long _position;

    /// <summary>As in <see cref="FileLogOptions"/>; 0 writes none.</summary>
    [Params(0, 1 << 20)]
    public long PreallocateBytes { get; set; }

    /// <summary>Opens a new log in a folder of its own.</summary>
    [GlobalSetup]
    public void Open()
    {
        Array.Fill(_batch, (byte)1);
        _folder = Directory.CreateTempSubdirectory("polyjuice-append-").FullName;
        _store = FileLogStore.OpenAsync(
            new FileLogOptions { Directory = _folder, PreallocateBytes = PreallocateBytes }, NullLogger.Instance,
            CancellationToken.None)
            .GetAwaiter().GetResult();
        _log = _store.Open(0);
        _position = 0;
    }

    /// <summary>Removes it.</summary>
    [GlobalCleanup]
    public void Close()
    {
        _store!.DisposeAsync().AsTask().GetAwaiter().GetResult();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>An append, from call to answer.</summary>
    [Benchmark]
    public bool Append()
    {
        var result = _log!.AppendAsync(_position, new BatchId(1, _position + 1), _batch, CancellationToken.None)
            .AsTask()
                .GetAwaiter().GetResult();
        _position++;
        return result == AppendResult.Appended;
    }
}
