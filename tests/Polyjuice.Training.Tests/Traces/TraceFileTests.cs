using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;
using Polyjuice.Versions;
using Polyjuice.Wire;
using static Polyjuice.Training.Tests.Traces.TraceBytes;

namespace Polyjuice.Training.Tests.Traces;

public sealed class TraceFileTests : IDisposable
{
    private static readonly SiteKey s_from = new(
        "Transfer", "ITeller.Transfer>IAccount.Withdraw", "Account.balance", AccessKind.Update);
    private static readonly SiteKey s_to = new(
        "Transfer", "ITeller.Transfer>IAccount.Deposit", "Account.balance", AccessKind.Update, "to");

    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-traces").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_trace_that_is_written_is_read_as_it_was()
    {
        var trace = Example();

        await TraceFile.WriteAsync(trace, PathOf("one"));
        var reading = TraceFile.Read([PathOf("one")]);

        AssertSame(trace, reading.Trace);
        Assert.True(Assert.Single(reading.Files).IsComplete);
        Assert.Equal([PathOf("one")], Directory.GetFiles(_folder));
    }

    [Fact]
    public async Task Wherever_a_file_was_cut_what_is_before_is_read_and_the_rest_reported()
    {
        await TraceFile.WriteAsync(Example(transactions: 20_000), PathOf("whole"));
        var bytes = File.ReadAllBytes(PathOf("whole"));
        var counts = new HashSet<int>();
        foreach (var cut in Enumerable.Range(1, 40).Select(i => bytes.Length * i / 41))
        {
            var reading = Read(bytes[..cut]);
            var file = Assert.Single(reading.Files);
            Assert.False(file.IsComplete);
            Assert.InRange(file.Bytes, TraceFormat.FileHeaderBytes, cut);
            Assert.True(file.Torn is not null || file.Bytes == cut);
            counts.Add(reading.Trace.Transactions.Length);
        }

        Assert.Equal([0, 8_192, 16_384], counts.Order());
    }

    [Fact]
    public async Task A_damaged_block_and_what_follows_it_are_cut()
    {
        await TraceFile.WriteAsync(Example(transactions: 20_000), PathOf("whole"));
        var bytes = File.ReadAllBytes(PathOf("whole"));
        bytes[bytes.Length / 2] ^= 1;

        var reading = Read(bytes);

        Assert.Equal(8_192, reading.Trace.Transactions.Length);
        Assert.Contains("checksum", Assert.Single(reading.Files).Torn, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_newer_version_is_refused_by_name()
    {
        await TraceFile.WriteAsync(Example(), PathOf("newer"));
        var bytes = File.ReadAllBytes(PathOf("newer"));
        bytes[7] = TraceFormat.Version + 1;

        var refusal = Assert.Throws<TraceFormatException>(() => Read(bytes));

        Assert.Contains("format 4", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_no_trace_is_refused() =>
        Assert.Contains(
            "is no trace",
            Assert.Throws<TraceFormatException>(() => Read("{ }"u8.ToArray())).Message,
            StringComparison.Ordinal);

    [Fact]
    public void A_file_that_was_made_and_not_written_is_torn() =>
        Assert.Equal(
            (0, "the file ends within its first bytes"),
            (Read([[]]).Trace.Transactions.Length, Assert.Single(Read([[]]).Files).Torn));

    [Fact]
    public void A_folder_without_traces_and_a_file_that_is_not_there_are_named()
    {
        Assert.Contains(
            _folder,
            Assert.Throws<FileNotFoundException>(() => TraceFile.Read([_folder])).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            PathOf("none"),
            Assert.Throws<FileNotFoundException>(() => TraceFile.Read([PathOf("none")])).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Two_silos_files_make_one_trace_and_what_lacks_a_part_is_left_out()
    {
        var (agent, other) = (new Silo(1), new Silo(2));
        agent.Access(agent.Node, 1, s_from, "a", number: 1, at: 1_010);
        other.Access(agent.Node, 1, s_to, "b", number: 2, at: 1_020);
        agent.Attempt(1, arrival: 1_005, end: 1_050, accesses: 2);

        // Of the second, one access is nowhere.
        agent.Access(agent.Node, 2, s_from, "a", number: 1, at: 1_060);
        agent.Attempt(2, arrival: 1_055, end: 1_090, accesses: 2);

        var trace = Read(await agent.EndAsync(), await other.EndAsync()).Trace;

        var transaction = Assert.Single(trace.Transactions.ToArray());
        Assert.Equal(
            ["a", "b"],
            trace.AccessesOf(transaction).ToArray()
                .Select(access => trace.Grains[trace.Participants[access.Participant].Grain].Key));
        Assert.Equal(
            ["silo1", "silo2"],
            trace.AccessesOf(transaction).ToArray()
                .Select(access => trace.Silos[trace.Participants[access.Participant].Silo].Name));
        Assert.Equal([5, 15], trace.AccessesOf(transaction).ToArray().Select(access => access.AtMicroseconds));
        Assert.Equal(1, trace.Losses.Transactions);
    }

    [Fact]
    public async Task A_file_that_is_given_twice_counts_once()
    {
        var silo = new Silo(1);
        silo.Access(silo.Node, 1, s_from, "a", number: 1, at: 1_010);
        silo.Attempt(1, arrival: 1_005, end: 1_050, accesses: 1);
        var bytes = await silo.EndAsync();

        var trace = Read(bytes, bytes).Trace;

        Assert.Equal(1, trace.AccessesOf(Assert.Single(trace.Transactions.ToArray())).Length);
    }

    [Fact]
    public async Task Of_a_resumed_attempt_the_last_run_counts()
    {
        var silo = new Silo(1);
        silo.Access(silo.Node, 1, s_from, "a", number: 1, at: 1_010);
        silo.Access(silo.Node, 1, s_to, "b", number: 2, at: 1_020);
        silo.Access(silo.Node, 1, s_from, "a", number: 1, at: 1_030, generation: 1);
        silo.Access(silo.Node, 1, s_to, "c", number: 2, at: 1_040, generation: 1);
        silo.Attempt(1, arrival: 1_005, end: 1_050, accesses: 2, generation: 1);

        var trace = Read(await silo.EndAsync()).Trace;

        Assert.Equal(
            ["a", "c"],
            trace.AccessesOf(trace.Transactions[0]).ToArray()
                .Select(access => trace.Grains[trace.Participants[access.Participant].Grain].Key));
    }

    [Fact]
    public async Task Files_of_different_windows_or_with_and_without_hashed_keys_do_not_go_together()
    {
        var plain = new Silo(1);
        var other = new Silo(2, new TraceRecorderOptions { WindowLengthMicroseconds = 1_000 });
        var hashed = new Silo(3, new TraceRecorderOptions { KeySalt = "a secret" });
        foreach (var silo in (Silo[])[plain, other, hashed])
            silo.Access(silo.Node, 1, s_from, "a", number: 1, at: 1_010);
        var first = await plain.EndAsync();

        var windows = await other.EndAsync();
        var keys = await hashed.EndAsync();

        Assert.Contains(
            "windows",
            Assert.Throws<TraceFormatException>(() => Read(first, windows)).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "hashed", Assert.Throws<TraceFormatException>(() => Read(first, keys)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_slice_holds_what_arrived_within_it()
    {
        await TraceFile.WriteAsync(Example(transactions: 100).Slice(250, 500), PathOf("slice"));

        var slice = TraceFile.Read([PathOf("slice")]).Trace;

        Assert.Equal(
            Enumerable.Range(25, 25).Select(i => i * 10L),
            slice.Transactions.ToArray().Select(transaction => transaction.ArrivalMicroseconds));
        Assert.Equal([new TraceWindow(250, 500)], slice.Windows);
        Assert.Throws<ArgumentException>(() => slice.Slice(600, 700));
    }

    [Fact]
    public void What_is_anonymised_has_no_keys_and_is_otherwise_the_same()
    {
        var trace = Example();

        var hashed = trace.Anonymise("a secret");
        var dropped = trace.Anonymise(null);

        Assert.All(hashed.Grains, grain => Assert.Matches("^[0-9a-f]{32}$", grain.Key));
        Assert.Equal(hashed.Grains, trace.Anonymise("a secret").Grains);
        Assert.NotEqual(hashed.Grains, trace.Anonymise("another secret").Grains);
        Assert.All(dropped.Grains, grain => Assert.Equal("", grain.Key));
        Assert.All(dropped.Silos, silo => Assert.Equal("", silo.Name));
        Assert.Equal(trace.Accesses.ToArray(), dropped.Accesses.ToArray());
        Assert.Equal(trace.Transactions.ToArray(), dropped.Transactions.ToArray());
        Assert.Throws<ArgumentException>(() => trace.Anonymise("short"));
    }

    private string PathOf(string name) => Path.Combine(_folder, name + TraceFile.Extension);

    private static AccessTrace Example(int transactions = 3)
    {
        var builder = new AccessTraceBuilder(1_700_000_000_000_000) { Losses = new TraceLosses(1, 2, 3) };
        var silo = builder.AddSilo(9, "silo");
        var accounts = Enumerable.Range(0, 4)
            .Select(i => builder.AddParticipant(builder.AddGrain("Account", $"Account/{i}"), "Account.balance", silo))
            .ToArray();
        var (from, to) = (builder.AddSite(s_from), builder.AddSite(s_to));
        builder.AddWindow(new TraceWindow(0, (10 * transactions) + 1));
        for (var i = 0; i < transactions; i++)
        {
            builder.AddTransaction(
                new TraceTransaction(
                    0, 10 * i, 100 + i, i % 2, silo, 1 + (i % 2), i % 3 == 2 ? AbortReason.Timeout : AbortReason.None,
                    false, 0, 0),
                [
                    new TraceAccess(from, accounts[i % 4], -1, 2, TraceAccessFlags.Conflict),
                    new TraceAccess(to, accounts[(i + 1) % 4], 5, 3, TraceAccessFlags.Parallel)
                ]);
        }

        return builder.Build();
    }

    private static void AssertSame(AccessTrace expected, AccessTrace actual)
    {
        Assert.Equal(expected.StartMicroseconds, actual.StartMicroseconds);
        Assert.Equal(expected.Silos, actual.Silos);
        Assert.Equal(expected.Types, actual.Types);
        Assert.Equal(expected.Sites, actual.Sites);
        Assert.Equal(expected.Grains, actual.Grains);
        Assert.Equal(expected.Participants, actual.Participants);
        Assert.Equal(expected.Windows, actual.Windows);
        Assert.Equal(expected.Losses, actual.Losses);
        Assert.Equal(expected.Transactions.ToArray(), actual.Transactions.ToArray());
        Assert.Equal(expected.Accesses.ToArray(), actual.Accesses.ToArray());
    }

    /// <summary>Records what a test says.</summary>
    private sealed class Silo
    {
        private readonly TraceChunk _chunk = new() { From = 1_000, Until = 2_000, Base = 1_000 };
        private readonly List<string> _named = [];
        private readonly SiteRegistry _registry = new();
        private readonly MemoryTraceSink _sink = new();
        private readonly TraceFiles _files;

        public Silo(long node, TraceRecorderOptions? options = null)
        {
            Node = new NodeId(node);
            _files = new TraceFiles(
                new RecorderIdentity(Node, $"silo{node}", ""),
                _registry,
                options ?? new TraceRecorderOptions(),
                _sink);
        }

        public NodeId Node { get; }

        public void Access(
            NodeId agent, long sequence, SiteKey site, string grain, int number, long at, byte generation = 0)
        {
            var participant = _named.IndexOf(grain);
            if (participant < 0)
            {
                participant = _named.Count;
                _named.Add(grain);
                _chunk.Names[_chunk.NameCount++] = new ParticipantKey(grain, "balance", "Account");
            }

            Assert.True(_chunk.TryPlace(new TransactionId(agent, sequence), out var place, out var difference));
            _chunk.Accesses[_chunk.AccessCount++] = new AccessEvent
            {
                Agent = place, Sequence = difference, Time = (int)(at - _chunk.Base),
                Site = _registry.GetOrAddSite(site).Id, Participant = participant, Number = (ushort)number,
                Generation = generation,
            };
        }

        public void Attempt(long sequence, long arrival, long end, int accesses, byte generation = 0) =>
            _chunk.Attempts[_chunk.AttemptCount++] = new AttemptEvent
            {
                Sequence = sequence, First = arrival << HybridClock.LogicalBits, End = (int)(end - _chunk.Base),
                Duration = (int)(end - arrival), Type = _registry.GetOrAddType("Transfer"), Attempt = 1,
                Accesses = accesses, Generation = generation, Flags = AttemptEventFlags.Last,
            };

        public async Task<byte[]> EndAsync()
        {
            await _files.WriteAsync(_chunk);
            await _files.EndAsync(2_000, 0, 0);
            return Assert.Single(_sink.Files).Content;
        }
    }
}
