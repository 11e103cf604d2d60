using Polyjuice.Versions;

namespace Polyjuice.Waits;

/// <summary>What the wait graph keeps with a transaction.</summary>
internal static class TransactionWaits
{
    extension(LocalTransaction transaction)
    {
        /// <summary>Its place in the wait graph, once it has one.</summary>
        public WaitNode? Edges
        {
            get => (WaitNode?)transaction.WaitPlace;
            set => transaction.WaitPlace = value;
        }

        /// <summary>Its own waits here.</summary>
        public List<Wait>? Waits => transaction.Edges?.Waits;
    }

    /// <summary>Where it stands, for whoever has to find out why others wait for it.</summary>
    public static string Describe(this LocalTransaction it)
    {
        var text =
            $"{it} (age {it.FirstAttempt}, "
            + $"{(it.AgentSide is { } agent ? $"agent here, {agent.Describe()}" : "agent elsewhere")}{(it.IsDoomed ? $", doomed by {it.Doom!.Reason}" : "")}{(it.IsSealed ? ", sealed" : "")}{(it.IsEnded ? ", ended" : "")}, progress {it.Progress}, waits [";
        text += string.Join(", ", (it.Waits ?? []).Select(wait => wait.Target.Id))
            + $"], remote calls [{string.Join(", ", (it.RemoteCalls ?? []).Select(call => call.Destination))}]";
        for (var branch = it.Branches; branch is not null; branch = branch.NextInTransaction)
            text += $", partition {branch.Partition.Partition} {branch.State}{(branch.IsParked ? " parked" : "")}";
        return text + ")";
    }
}
