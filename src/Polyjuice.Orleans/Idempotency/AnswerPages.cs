using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>
/// The pages of one call, within one attempt of its transaction: it is looked for from the top down, and its record
/// goes to the first page that has room. All of that is a part of the transaction. For one attempt.
/// </summary>
internal sealed class AnswerPages(IGrainFactory grains, Guid call, int partition, int partitions)
{
    private readonly List<PageLook> _looks = [];

    /// <summary>Looks for the call's record.</summary>
    public async Task<AnsweredCall?> FindAsync()
    {
        for (var level = 0; level < PageNames.LevelsMax; level++)
        {
            var look = await PageAt(level).Find(call);
            if (look.Call is { } found) return found;
            _looks.Add(look);
            if (!look.HasMore) return null;
        }

        return null;
    }

    /// <summary>Records the call, after it was looked for.</summary>
    public async Task KeepAsync(AnsweredCall answered)
    {
        var level = _looks.FindIndex(look => look.HasRoomFor(answered.Answer.Length));
        if (level < 0)
        {
            level = Math.Min(_looks.Count, PageNames.LevelsMax - 1);
            await PageAt(level - 1).Extend();
        }

        await PageAt(level).Keep(answered);
    }

    private IIdempotencyKeys PageAt(int level) =>
        grains.GetGrain<IIdempotencyKeys>(PageNames.KeyOf(call, level, partition, partitions));
}
