using BenchmarkDotNet.Attributes;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// One message to and from its bytes: a prepare for three participants, which is
/// the longest that is sent often, and a progress report, which is the shortest.
/// </summary>
public class MessageCoding
{
    private readonly ByteWriter _output = new();
    private Message _message;
    private byte[] _bytes = [];

    /// <summary>Which.</summary>
    [Params("prepare", "progress")]
    public string Kind { get; set; } = "";

    /// <summary>Makes it.</summary>
    [GlobalSetup]
    public void Setup()
    {
        var transaction = new TransactionId(new NodeId(3), 123_456);
        _message = Kind == "progress"
            ? new Message { Kind = MessageKind.Progress, Transaction = transaction, Count = 2 }
            : new Message
            {
                Kind = MessageKind.Prepare, Transaction = transaction, Partition = 1, Epoch = 7,
                Timestamp = 1_800_000_000_000_000, Manager = 2, ManagerEpoch = 9,
                Parts =
                [
                    .. Enumerable.Range(1, 3)
                    .Select(
                        partition => new ParticipantUse(partition, 7, new NodeId(partition), Accesses: 1, Writes: true))
                ],
            };
        Encode();
        _bytes = _output.Written.ToArray();
        Decode();
    }

    /// <summary>Writes it.</summary>
    [Benchmark]
    public int Encode()
    {
        _output.Clear();
        _message.Write(_output);
        return _output.Length;
    }

    /// <summary>Reads it.</summary>
    [Benchmark]
    public long Decode()
    {
        var reader = new ByteReader(_bytes);
        return Message.Read(ref reader, new NodeId(1)).Timestamp;
    }
}
