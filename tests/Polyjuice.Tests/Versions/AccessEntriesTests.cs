using Polyjuice.Versions;

namespace Polyjuice.Tests.Versions;

public sealed class AccessEntriesTests
{
    [Fact]
    public void Entries_come_and_go_as_in_a_list()
    {
        // The same random steps on both.
        var random = new Random(11);
        AccessEntries entries = default;
        var list = new List<AccessEntry>();
        for (var step = 0; step < 2_000; step++)
        {
            if (list.Count == 0 || random.Next(2) == 0)
            {
                var added = Entry();
                entries.Add(added);
                list.Add(added);
            }
            else
            {
                var at = random.Next(list.Count);
                entries.Remove(list[at]);
                list.RemoveAt(at);
            }

            Assert.Equal(list, All(entries));
        }
    }

    [Fact]
    public void What_is_not_among_them_is_not_taken_out()
    {
        AccessEntries entries = default;
        entries.Remove(Entry());
        var (first, second) = (Entry(), Entry());
        entries.Add(first);
        entries.Add(second);
        entries.Remove(Entry());
        Assert.Equal([first, second], All(entries));
    }

    private static AccessEntry Entry() => new(new StateVersion(null!, default, null, null));

    private static List<AccessEntry> All(AccessEntries entries)
    {
        var all = new List<AccessEntry>();
        foreach (var entry in entries) all.Add(entry);
        return all;
    }
}
