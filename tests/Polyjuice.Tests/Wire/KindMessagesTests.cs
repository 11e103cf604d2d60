using System.Reflection;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Wire;

/// <summary>Each kind's type maps its members to fields of <see cref="Message"/> and back.</summary>
public sealed class KindMessagesTests
{
    public static TheoryData<string> Types => [.. All.Select(static type => type.Name)];

    private static IEnumerable<Type> All => typeof(Message).Assembly.GetTypes()
        .Where(static type => type.Namespace == typeof(Message).Namespace && Conversion(type) is not null);

    [Theory]
    [MemberData(nameof(Types))]
    public void What_was_said_is_what_is_read(string name)
    {
        var type = All.Single(type => type.Name == name);
        var members = Members(type);
        var flags = members.Where(static member => member.PropertyType == typeof(bool)).ToList();

        // All values at once, and each flag by itself: no two share a field or a bit.
        for (var at = -1; at < flags.Count; at++)
        {
            var said = Activator.CreateInstance(type)!;
            for (var i = 0; i < members.Count; i++)
            {
                var isSet = members[i].PropertyType != typeof(bool) || at < 0 || members[i] == flags[at];
                if (isSet) members[i].SetValue(said, ValueOf(members[i].PropertyType, i + 1));
            }

            var read = Read(type, ToMessage(said));

            Assert.All(members, member => Assert.Equal(member.GetValue(said), member.GetValue(read)));
        }
    }

    [Fact]
    public void Types_of_one_kind_are_told_apart()
    {
        var messages = All.ToDictionary(
            static type => type, static type => ToMessage(Activator.CreateInstance(type)!));
        foreach (var type in All)
        {
            if (type.GetMethod("Is") is not { } isOf) continue;
            Assert.All(
                messages.Where(other => other.Value.Kind == messages[type].Kind),
                other => Assert.Equal(other.Key == type, isOf.Invoke(null, [other.Value])));
        }
    }

    [Fact]
    public void A_probe_carries_the_youngest_that_it_has_met()
    {
        var youngest = new TransactionId(new NodeId(3), 4);
        var probe = new ProbeMessage { Hops = 2 };
        Assert.False(probe.HasMetAny);

        var read = ProbeMessage.Read(probe.MeetingYounger(youngest, age: 9, new NodeId(5)));

        Assert.Equal(
            (true, youngest, 9, new NodeId(5), 2),
            (read.HasMetAny, read.Youngest, read.YoungestAge, read.YoungestNode, read.Hops));
    }

    private static MethodInfo? Conversion(Type type) =>
        type.GetMethods(BindingFlags.Public | BindingFlags.Static).SingleOrDefault(static method =>
            method.Name == "op_Implicit" && method.ReturnType == typeof(Message));

    private static List<PropertyInfo> Members(Type type) =>
        [.. type.GetProperties().Where(static member => member.SetMethod is { IsPublic: true })];

    private static Message ToMessage(object said) => (Message)Conversion(said.GetType())!.Invoke(null, [said])!;

    private static object Read(Type type, Message message) => type.GetMethod("Read")!.Invoke(null, [message])!;

    private static object ValueOf(Type type, int number)
    {
        if (type == typeof(bool)) return true;
        if (type == typeof(int)) return number;
        if (type == typeof(long)) return (long)number;
        if (type == typeof(ulong)) return (ulong)number;
        if (type == typeof(double)) return number / 1_000.0;
        if (type == typeof(NodeId)) return new NodeId(number);
        if (type == typeof(TransactionId)) return new TransactionId(new NodeId(number), number);
        if (type == typeof(AbortReason)) return (AbortReason)number;
        if (type == typeof(ParticipantUse[]))
            return new[] { new ParticipantUse(number, number, new NodeId(number), number, Writes: true) };
        if (type == typeof(CommitDependency[]))
            return new[] { new CommitDependency(new TransactionId(new NodeId(number), number), number, number) };
        if (type == typeof(ReservationPlan)) return PlanOf(number);
        throw new NotSupportedException($"No value of {type} is known here.");
    }

    private static ReservationPlan PlanOf(int number)
    {
        var key = new ParticipantKey($"grain/{number}", "state", "class");
        var entry = new PlannedReservation(0, key, IsExclusive: true, number);
        return ReservationPlan.Of("type", [entry], new ReservationOrder([new NodeId(1)]))!;
    }
}
