using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>What to do when a record has become durable.</summary>
/// <param name="Kind">Of the record. What else there is, is what that needs.</param>
/// <param name="Branch">Whose prepare it is, or outcome.</param>
/// <param name="Decision">Whose commit, resolution or end it is.</param>
/// <param name="Round">Of a prepare.</param>
/// <param name="Timestamp">A ceiling.</param>
/// <param name="Committed">Which outcome, or resolution.</param>
/// <param name="Manager">The partition to which an outcome is acknowledged.</param>
/// <param name="Asker">Who asks for that; none if it is whoever owns the partition.</param>
internal readonly record struct DurableAction(
    LogRecordKind Kind,
    Branch? Branch = null,
    Decision? Decision = null,
    int Round = 0,
    long Timestamp = 0,
    bool Committed = false,
    int Manager = 0,
    NodeId Asker = default);
