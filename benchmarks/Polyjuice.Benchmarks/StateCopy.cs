using System.Buffers;
using BenchmarkDotNet.Attributes;
using Polyjuice.Benchmarking.Workloads.Micro;
using Polyjuice.Benchmarking.Workloads.Tpce;
using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Benchmarks;

/// <summary>What the embedded host does with a state at each update (a copy) and for the log (JSON): a number, and a dictionary of ten.</summary>
public class StateCopy
{
    private readonly GrainStateCodec<CounterState> _counters = new();
    private readonly GrainStateCodec<HoldingsState> _holdings = new();
    private readonly CounterState _counter = new() { Count = 42 };
    private readonly HoldingsState _ten = new() { Quantities = Enumerable.Range(0, 10).ToDictionary(security => (long)security, security => 100L + security) };
    private readonly ArrayBufferWriter<byte> _output = new(4_096);
    private byte[] _bytes = [];

    /// <summary>Encodes what is decoded.</summary>
    [GlobalSetup]
    public void Setup()
    {
        EncodeDictionary();
        _bytes = _output.WrittenSpan.ToArray();
    }

    /// <summary>Copies a number.</summary>
    [Benchmark]
    public CounterState CopyNumber() => _counters.Copy(_counter);

    /// <summary>Copies a dictionary.</summary>
    [Benchmark]
    public HoldingsState CopyDictionary() => _holdings.Copy(_ten);

    /// <summary>Encodes a dictionary.</summary>
    [Benchmark]
    public int EncodeDictionary()
    {
        _output.ResetWrittenCount();
        _holdings.Encode(_ten, _output);
        return _output.WrittenCount;
    }

    /// <summary>Decodes it.</summary>
    [Benchmark]
    public HoldingsState DecodeDictionary() => _holdings.Decode(_bytes);
}
