using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;
using Polyjuice.Partitions;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Groups;

/// <summary>
/// Refuses to start a silo whose classes declare other groups than those that the logs were written with, before it
/// serves anything: a grain's states would be in one partition, and be looked for in another. What logs were written
/// with is noted beside them. Where that differs, the logs themselves decide: a class of which they hold nothing may
/// declare what it likes.
/// </summary>
internal sealed class GroupGuard(SiloLogs logs, TransactionGroups groups, ILoggerFactory loggers)
    : ILifecycleParticipant<ISiloLifecycle>
{
    // After those that keep silos apart whose classes differ.
    private const int Stage = ServiceLifecycleStage.BecomeActive - 8;

    private readonly ILogger _logger = loggers.CreateLogger("Polyjuice.Orleans");

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle) => lifecycle.Subscribe(nameof(GroupGuard), Stage, CheckAsync);

    private async Task CheckAsync(CancellationToken cancellationToken)
    {
        // Where nothing can be noted, recovery looks at each state.
        if (logs.Store is not ILogNotes notes) return;
        var declared = groups.Declarations().ToArray();
        while (true)
        {
            var note = await notes.ReadNoteAsync(GroupRecord.Name, cancellationToken).ConfigureAwait(false);
            var known = note is null ? GroupRecord.Empty : GroupRecord.Read(note.Content, logs.Place.Location);
            var changed = declared.Where(one => known.Of(one.GrainType) != one.Declaration).ToArray();
            if (changed.Length == 0) return;
            await RequireInPlaceAsync(known, changed, cancellationToken).ConfigureAwait(false);
            var next = known.With(declared.Select(static one => (one.GrainType, one.Declaration)));
            var number = (note?.Number ?? 0) + 1;
            if (await notes.WriteNoteAsync(
                GroupRecord.Name, number, next.Write(), cancellationToken).ConfigureAwait(false))
                return;
        }
    }

    private async Task RequireInPlaceAsync(
        GroupRecord known, (Type Class, string GrainType, string Declaration)[] changed,
        CancellationToken cancellationToken)
    {
        var names = string.Join(", ", changed.Select(static one => one.Class.Name));
        HostLog.GroupsChanged(_logger, names, logs.Place.Location);
        var store = logs.Store!;
        for (var partition = 0; partition < store.PartitionCount; partition++)
        {
            var image = await ReadAsync(store.Open(partition), cancellationToken).ConfigureAwait(false);
            if (MisplacedState.FindIn(image, partition, store.PartitionCount, groups) is not { } misplaced) continue;
            var type = GrainId.Parse(misplaced.Key.Grain).Type;
            var (grainClass, grainType, now) = changed.FirstOrDefault(
                one => one.GrainType == GrainTypes.ClassOf(type).ToString());
            if (grainClass is null) throw new LogUnusableException($"{misplaced}. Nothing was changed.");
            throw new OrleansConfigurationException(
                $"Grain class {grainClass} declares {Text(now)}, and the logs in {logs.Place.Location} hold states of "
                + $"it that were written when it declared {Text(known.Of(grainType))}. {misplaced}, where it "
                + "would begin anew. Declare what the logs were written with; or begin new logs in another place, and "
                + "move the states there by the application.");
        }
    }

    private static string Text(string declaration) =>
        declaration.Length == 0 ? "no group" : $"the group '{declaration}'";

    // Another silo of the cluster may make a checkpoint meanwhile.
    private static async Task<LogImage> ReadAsync(IPartitionLog log, CancellationToken cancellationToken)
    {
        while (true)
        {
            var end = await log.GetEndAsync(cancellationToken).ConfigureAwait(false);
            var known = await Checkpointer.ReadAsync(log, end, cancellationToken).ConfigureAwait(false);
            if (known is not null) return known.Image;
        }
    }
}
