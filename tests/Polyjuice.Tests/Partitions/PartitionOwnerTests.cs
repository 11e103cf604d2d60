using System.Reflection;
using Polyjuice.Partitions;

namespace Polyjuice.Tests.Partitions;

/// <summary>
/// An owner's parts stay machines of their own: each knows those that it needs, and none needs it back.
/// </summary>
public sealed class PartitionOwnerTests
{
    // What names its owner, so that the engine gets from there to the partition.
    private static readonly Type[] s_named =
        [typeof(Branches), typeof(Decision), typeof(Decisions), typeof(Ownership), typeof(ParticipantTable)];

    [Fact]
    public void Only_what_names_its_owner_knows_it()
    {
        var know = typeof(PartitionOwner).Assembly.GetTypes()
            .Where(static type => type.Namespace == typeof(PartitionOwner).Namespace && type.DeclaringType is null)
            .Where(static type => Fields(type).Contains(typeof(PartitionOwner)));
        Assert.Equal(s_named.Order(ByName), know.Order(ByName));
    }

    [Fact]
    public void No_part_can_reach_itself()
    {
        var parts = Parts();
        Assert.Contains(typeof(Ordering), parts);
        Assert.Contains(typeof(CommitRecords), parts);
        Assert.All(parts, part => Assert.DoesNotContain(part, Reached(part)));
    }

    private static Comparer<Type> ByName { get; } =
        Comparer<Type>.Create(static (a, b) => string.CompareOrdinal(a.Name, b.Name));

    private static HashSet<Type> Parts() => Reached(typeof(PartitionOwner));

    /// <summary>The classes of this folder that one holds, and that these hold.</summary>
    private static HashSet<Type> Reached(Type from)
    {
        var reached = new HashSet<Type>();
        var next = new Queue<Type>([from]);
        while (next.TryDequeue(out var type))
        {
            foreach (var field in Fields(type))
            {
                if (IsPart(field) && reached.Add(field)) next.Enqueue(field);
            }
        }

        return reached;
    }

    private static bool IsPart(Type type) =>
        type.Namespace == typeof(PartitionOwner).Namespace && type is { IsClass: true, IsSealed: true }
        && type != typeof(PartitionOwner) && type != typeof(OwnerParts) && type != typeof(Decision);

    private static IEnumerable<Type> Fields(Type type) => type
        .GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .Select(static field => field.FieldType);
}
