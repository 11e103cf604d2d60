using System.Buffers;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Lab.Workloads.Micro;
using Polyjuice.Lab.Workloads.Tpce;
using Polyjuice.Orleans.States;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// What a silo does with a state at each update (a copy) and for the
/// log (Orleans' own format): a number, and a dictionary of ten.
/// </summary>
public class StateCopy
{
    private static readonly IServiceProvider s_services = new ServiceCollection().AddSerializer()
        .BuildServiceProvider();

    private readonly IStateCodec<CounterState> _counters = CodecOf<CounterState>();
    private readonly IStateCodec<HoldingsState> _holdings = CodecOf<HoldingsState>();
    private readonly CounterState _counter = new() { Count = 42 };
    private readonly HoldingsState _ten = new()
    {
        Quantities = Enumerable.Range(0, 10).ToDictionary(security => (long)security, security => 100L + security)
    };
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

    private static OrleansStateCodec<T> CodecOf<T>() where T : class, new() =>
        new(
            new DefaultTransactionDataCopier<T>(s_services.GetRequiredService<DeepCopier<T>>()),
            s_services.GetRequiredService<Serializer<T>>());
}
