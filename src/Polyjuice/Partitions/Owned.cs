using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>Who owns the partition that a version's participant or a branch is in.</summary>
internal static class Owned
{
    extension(Participant participant)
    {
        /// <summary>Who serves it.</summary>
        public PartitionOwner Owner => (PartitionOwner)participant.Partition;
    }

    extension(Branch branch)
    {
        /// <summary>Who serves it.</summary>
        public PartitionOwner Owner => (PartitionOwner)branch.Partition;
    }
}
