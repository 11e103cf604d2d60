using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Tests.Protocol;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Versions;

public sealed class ExposedVersionsTests
{
    [Fact]
    public void Versions_come_and_go_as_in_a_list()
    {
        // The same random steps on both.
        var versions = Versions(12);
        var random = new Random(7);
        ExposedVersions exposed = default;
        var list = new List<StateVersion>();
        for (var step = 0; step < 2_000; step++)
        {
            var left = versions.Except(list).ToList();
            if (list.Count == 0 || (left.Count > 0 && random.Next(2) == 0))
            {
                var added = left[random.Next(left.Count)];
                exposed.Add(added);
                list.Add(added);
            }
            else
            {
                var at = random.Next(list.Count);
                exposed.RemoveAt(at);
                list.RemoveAt(at);
            }

            Assert.Equal(list.Count, exposed.Count);
            Assert.Same(list.LastOrDefault(), exposed.Latest);
            for (var at = 0; at < list.Count; at++) Assert.Same(list[at], exposed[at]);
            Assert.All(versions, version => Assert.Equal(list.IndexOf(version), exposed.IndexOf(version)));
        }
    }

    private static List<StateVersion> Versions(int count)
    {
        var s = new Scenario(ProtocolBreaks.None);
        var participant = s.FirstOwner(0).Engine.Partitions.Owner(0)!.GetParticipant(s.Cluster.Accounts.KeyOf(0));
        return [
            .. Enumerable.Range(0, count)
            .Select(_ => new StateVersion(participant, participant.Last.Id, participant.Last.Writer!, participant.Last))
        ];
    }
}
