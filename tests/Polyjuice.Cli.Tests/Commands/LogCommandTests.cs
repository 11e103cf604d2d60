using System.Text.Json;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Cli.Tests.Commands;

public sealed class LogCommandTests : IDisposable
{
    private static readonly TransactionId One = new(new NodeId(3), 41);
    private readonly Tool _tool = new();

    private string Data => _tool.PathOf("data");

    private string Segment => Path.Combine(Data, "p00000", "00000000000000000000.log");

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task Sound_logs_are_called_sound_with_what_is_in_them()
    {
        await WriteAsync();
        var answer = await _tool.RunAsync("log", "verify", "--data", Data);
        Assert.Equal((0, ""), (answer.ExitCode, answer.Error));
        Assert.Contains("partition 0: sound; batches 0 to 1 in 1 segment(s), 9 records", answer.Output);
        Assert.Contains("checkpoint of 1 batches (2 records", answer.Output);
        Assert.Contains("partition 1: sound", answer.Output);
    }

    [Fact]
    public async Task Every_damaged_place_is_named_with_file_and_offset()
    {
        await WriteAsync();
        Change(Segment, 100);
        var answer = await _tool.RunAsync("log", "verify", "--data", Data, "--partition", "0");
        Assert.Equal(1, answer.ExitCode);
        Assert.Contains("partition 0: DAMAGED", answer.Output);
        Assert.Contains($"{Segment} at offset 40: the checksum of batch 0 is wrong", answer.Output);
        using var json = JsonDocument.Parse((await _tool.RunAsync("log", "verify", "--data", Data, "--json")).Output);
        var problem = json.RootElement[0].GetProperty("problems")[0];
        Assert.Equal(
            (Segment, 40, false),
            (problem.GetProperty(
                "file").GetString(), problem.GetProperty(
                    "offset").GetInt32(), problem.GetProperty("tornTail").GetBoolean()));
    }

    [Fact]
    public async Task An_interrupted_append_is_mentioned_and_is_no_damage()
    {
        await WriteAsync();
        await using (var file = File.OpenWrite(Segment)) file.SetLength(file.Length - 3);
        File.Delete(Segment + ".answered");
        File.Delete(Path.GetDirectoryName(Segment) + ".answered");
        var answer = await _tool.RunAsync("log", "verify", "--data", Data);
        Assert.Equal(0, answer.ExitCode);
        Assert.Contains("never answered", answer.Output);
    }

    [Fact]
    public async Task A_segment_that_is_gone_is_damage_though_what_says_that_it_was_answered_is_there()
    {
        await WriteAsync();
        File.Delete(Segment);
        Assert.True(File.Exists(Segment + ".answered"));
        var answer = await _tool.RunAsync("log", "verify", "--data", Data);
        Assert.Equal(1, answer.ExitCode);
        Assert.Contains("partition 0: DAMAGED", answer.Output);
        Assert.Contains("partition 1: sound", answer.Output);
        Assert.Contains(Path.GetDirectoryName(Segment)!, answer.Output);
    }

    [Fact]
    public async Task Every_kind_of_record_is_dumped_readably()
    {
        await WriteAsync();
        var answer = await _tool.RunAsync("log", "dump", "--data", Data, "--partition", "0");
        Assert.Equal((0, ""), (answer.ExitCode, answer.Error));
        foreach (var kind in Enum.GetNames<LogRecordKind>()) Assert.Contains($": {kind} ", answer.Output);
        Assert.Contains("p0 batch 0 n1.1: Fence node=n5", answer.Output);
        Assert.Contains("Ceiling timestamp=1000.3", answer.Output);
        Assert.Contains("Outcome id=n3.41 committed=no manager=2", answer.Output);
        Assert.Contains(
            "writes=[grain=Account/1 name=checking class=Account version=n3.41.1 base=initial codec=json "
            + "state={\"Cents\":7}]",
            answer.Output);
        Assert.Contains("Staged id=n3.42 type=Pay round=2", answer.Output);
        Assert.Contains("OldestLive n3=42 n4=dead", answer.Output);
        Assert.Contains("p0 checkpoint 1: State grain=Account/1", answer.Output);
    }

    [Fact]
    public async Task A_dump_in_json_is_one_object_per_record()
    {
        await WriteAsync();
        var answer = await _tool.RunAsync("log", "dump", "--data", Data, "--json", "--from", "1", "--no-checkpoint");
        var lines = answer.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        using var first = JsonDocument.Parse(lines[0]);
        Assert.Equal(
            ("Forget", 1),
            (first.RootElement.GetProperty("kind").GetString(), first.RootElement.GetProperty("batch").GetInt32()));
        Assert.Equal("n3.41", first.RootElement.GetProperty("fields").GetProperty("id").GetString());
    }

    [Fact]
    public async Task A_folder_without_logs_and_a_partition_that_is_not_there_are_refused()
    {
        var nothing = await _tool.RunAsync("log", "verify", "--data", _tool.PathOf("nothing"));
        Assert.Equal(2, nothing.ExitCode);
        Assert.Contains("There are no logs in", nothing.Error);
        await WriteAsync();
        var wrong = await _tool.RunAsync("log", "dump", "--data", Data, "--partition", "7");
        Assert.Equal(2, wrong.ExitCode);
        Assert.Contains("these logs have 0 to 1", wrong.Error);
    }

    private async Task WriteAsync()
    {
        await using var store = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = Data, NewPartitions = 2 }, NullLogger.Instance, CancellationToken.None);
        var log = store.Open(0);
        var key = new ParticipantKey("Account/1", "checking", "Account");
        var version = new VersionId(One, 1);
        var batch = new ByteWriter();
        LogRecords.WriteFence(batch, new NodeId(5));
        LogRecords.WriteCeiling(batch, (1_000 << HybridClock.LogicalBits) + 3);
        LogRecords.WritePrepare(batch, new RecoveredPrepare
        {
            Id = One, Type = "Pay", Round = 1, Timestamp = 9_000, Manager = 2, ManagerEpoch = 4,
            Parts = [new ParticipantUse(0, 1, new NodeId(5), 2, Writes: true)],
            Writes = [new RecoveredVersion(key, version, default, "json", "{\"Cents\":7}"u8.ToArray())],
            Dependencies = [],
        });
        LogRecords.WriteCommit(batch, new RecoveredCommit(One, 1, 9_000, [], [1], [new CommitDependency(One, 1, 2)]));
        LogRecords.WriteResolved(batch, One, committed: true);
        LogRecords.WriteOutcome(batch, One, committed: false, manager: 2);
        LogRecords.WritePrepare(batch, new RecoveredPrepare
        {
            IsStaged = true, Id = One with { Sequence = 42 }, Type = "Pay", Round = 2, Timestamp = 9_001, Manager = 0,
            ManagerEpoch = 1, Parts = [new ParticipantUse(0, 1, new NodeId(5), 2, Writes: true)], Writes = [],
            Dependencies = [],
        });
        await log.AppendAsync(0, new BatchId(1, 1), batch.WrittenMemory, CancellationToken.None);
        batch.Clear();
        LogRecords.WriteForget(batch, One);
        LogRecords.WriteOldestLive(batch, [new(new NodeId(3), 42), new(new NodeId(4), long.MaxValue)]);
        await log.AppendAsync(1, new BatchId(1, 2), batch.WrittenMemory, CancellationToken.None);
        batch.Clear();
        LogRecords.WriteLatest(batch, 9_000);
        LogRecords.WriteState(batch, key, new CommittedState(version, 9_000, "json", "{\"Cents\":7}"u8.ToArray()));
        await log.WriteCheckpointAsync(1, Piece(), CancellationToken.None);

        async IAsyncEnumerable<ReadOnlyMemory<byte>> Piece()
        {
            yield return batch.WrittenMemory;
            await Task.CompletedTask;
        }
    }

    private static void Change(string path, int at)
    {
        var bytes = File.ReadAllBytes(path);
        bytes[at] ^= 1;
        File.WriteAllBytes(path, bytes);
    }
}
