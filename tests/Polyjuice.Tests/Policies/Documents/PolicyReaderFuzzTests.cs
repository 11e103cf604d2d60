using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Policies;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Policies.Documents;

public class PolicyReaderFuzzTests
{
    private static readonly string[] Scraps =
    [
        "", "\"", "{", "}", "[", "]", ",", ":", "null", "-1", "70000", "1e400", "\"*\"", "\"\\ud800\"", "\u00e9", "\n",
        "\"type\": ", "\"sealed\"", "\0"
    ];

    [Fact]
    public void Whatever_happens_to_a_file_the_answer_is_a_policy_or_a_place() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var bytes = Encoding.UTF8.GetBytes(Samples.BankJson).ToList();
            for (var i = random.Next(1, 4); i > 0; i--)
            {
                var at = random.Next(bytes.Count);
                bytes.RemoveRange(at, Math.Min(random.Next(12), bytes.Count - at));
                bytes.InsertRange(
                    at,
                    random.Next(8) == 0
                        ? [(byte)random.Next(256)]
                        : Encoding.UTF8.GetBytes(Scraps[random.Next(Scraps.Length)]));
            }

            try
            {
                var document = PolicyReader.Parse([.. bytes], "fuzzed.json");
                Assert.Equal(document, PolicyReader.Parse(PolicyWriter.Write(document), "fuzzed.json"));
                _ = new DocumentPolicy(document).Compile(new SiteRegistry(), 1);
            }
            catch (PolicyFormatException e)
            {
                Assert.All(e.Problems, problem => Assert.True(problem is { Line: > 0, Column: > 0 }));
            }
        }).Holds(cases: 2_000);
}
