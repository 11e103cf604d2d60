using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Training.Tests.Service;

/// <summary>
/// A folder with the files that silos have recorded, as their recorders write them: one for each window, of made-up
/// transactions of two types that update one record of a few hot ones and some cold ones.
/// </summary>
internal sealed class RecordedFolder : IDisposable
{
    public static readonly DateTimeOffset Begin = new(2026, 3, 2, 0, 0, 0, TimeSpan.Zero);

    /// <summary>
    /// Transactions that are in conflict arrive within one interval of this length; others have one of their own.
    /// </summary>
    public const long Interval = 10_000;

    private const int Transactions = 300;

    private readonly SiteRegistry _registry = new();

    public RecordedFolder() => Sink = new FileTraceSink(Path);

    public string Path { get; } = Directory.CreateTempSubdirectory("polyjuice-trainer").FullName;

    public FileTraceSink Sink { get; }

    public WindowGrid Grid { get; } = new(TimeSpan.FromHours(1));

    public void Dispose() => Directory.Delete(Path, recursive: true);

    /// <summary>The number of the window that so many hours after the beginning begin.</summary>
    public long Window(int hour) =>
        Grid.WindowOf((Begin - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond) + hour;

    /// <summary>
    /// Writes a silo's file of an hour, done or not, in which a share of transactions is in conflict.
    /// </summary>
    /// <param name="hour">Since the beginning.</param>
    /// <param name="rate">The share, in hundredths.</param>
    /// <param name="node">Which silo.</param>
    /// <param name="transactions">How many.</param>
    /// <param name="late">
    /// So long before the hour's end it is begun, and half as long before it ended; zero for the whole hour.
    /// </param>
    public async Task<string> WriteAsync(
        int hour, double rate = 0.3, long node = 1, int transactions = Transactions, TimeSpan late = default)
    {
        var until = Grid.StartOf(Window(hour + 1));
        var start = late == default ? Grid.StartOf(Window(hour)) : until - (late.Ticks / TimeSpan.TicksPerMicrosecond);
        var chunk = new TraceChunk { File = 0, From = start, Until = until, Base = start };
        var silo = new NodeId(node);
        var named = new Dictionary<string, int>();

        // Pairs at the same hot record in the same interval, then the others, each at a record of its own.
        var inPairs = (int)Math.Round(rate * transactions / 2) * 2;
        for (var i = 0; i < transactions; i++)
        {
            var arrival = start + ((i < inPairs ? i / 2 : i) * Interval) + (i % 2);
            var type = $"IHot.Run{i / 2 % 2}";
            Assert.True(chunk.TryPlace(new TransactionId(silo, i), out var agent, out var difference));
            Access(
                i < inPairs ? $"Hot/{i / 2 % 3}" : $"Hot/{i}",
                new SiteKey(type, type, "Hot.record", AccessKind.Update),
                1);
            Access(
                $"Cold/{(i * 7) + hour}", new SiteKey(type, $"{type}>ICold.Add", "Cold.record", AccessKind.Update), 2);
            chunk.Attempts[chunk.AttemptCount++] = new AttemptEvent
            {
                Sequence = i, First = arrival << HybridClock.LogicalBits, End = (int)(arrival - start + 500),
                Duration = 500, Type = _registry.GetOrAddType(type), Attempt = 1, Accesses = 2,
                Flags = AttemptEventFlags.Last,
            };

            void Access(string grain, SiteKey site, int number)
            {
                if (!named.TryGetValue(grain, out var participant))
                {
                    named.Add(grain, participant = named.Count);
                    chunk.Names[chunk.NameCount++] = new ParticipantKey(
                        grain, "record", grain[..grain.IndexOf('/', StringComparison.Ordinal)]);
                }

                chunk.Accesses[chunk.AccessCount++] = new AccessEvent
                {
                    Agent = agent, Sequence = difference, Time = (int)(arrival - start + number),
                    Site = _registry.GetOrAddSite(site).Id, Participant = participant, Number = (ushort)number,
                };
            }
        }

        // A recording's files are numbered; here each hour's is the hour's.
        var held = new MemoryTraceSink();
        var files = new TraceFiles(
            new RecorderIdentity(silo, $"silo{node}", ""), _registry, new TraceRecorderOptions(), held);
        await files.WriteAsync(chunk);
        var name = NameOf(hour, node);
        Directory.CreateDirectory(Path);
        await File.WriteAllBytesAsync(System.IO.Path.Combine(Path, name), Assert.Single(held.Files).Content);
        File.SetLastWriteTimeUtc(
            System.IO.Path.Combine(Path, name), (Begin.AddHours(hour + 1) - (late / 2)).UtcDateTime);
        return name;
    }

    /// <summary>The name of a silo's file of an hour.</summary>
    public static string NameOf(int hour, long node = 1) => $"{node}-1000-{hour:0000}{TraceFormat.Extension}";
}
