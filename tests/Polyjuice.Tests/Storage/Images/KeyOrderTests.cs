using System.Text;
using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage.Images;

/// <summary>A checkpoint's order is that of strings, and is found out from their bytes.</summary>
public sealed class KeyOrderTests
{
    // What the two encodings order alike, and on both sides of what they do not.
    private static readonly string[] Pieces =
    [
        "", "a", "b", "\u00e9", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uee00", "\ufffd", "\uffff", "\U00010000",
        "\U0001f600", "\U0010ffff"
    ];

    [Fact]
    public void Text_is_ordered_as_its_utf16_code_units_are()
    {
        var texts = (from a in Pieces from b in Pieces from c in Pieces select a + b + c).Distinct().ToArray();
        foreach (var left in texts)
        {
            foreach (var right in texts)
                Assert.Equal(
                    Math.Sign(string.CompareOrdinal(left, right)),
                    Math.Sign(KeyOrder.CompareText(Encoding.UTF8.GetBytes(left), Encoding.UTF8.GetBytes(right))));
        }
    }

    [Fact]
    public void The_grain_counts_before_the_state_and_that_before_the_class()
    {
        var ordered = new[]
        {
            Key("a", "z", "z"), Key("ab", "a", "a"), Key("b", "a", "b"), Key("b", "b", "a"), Key("b", "b", "b")
        };
        for (var i = 0; i < ordered.Length; i++)
        {
            for (var j = 0; j < ordered.Length; j++)
                Assert.Equal(i.CompareTo(j), Math.Sign(KeyOrder.Compare(ordered[i], ordered[j])));
        }
    }

    private static byte[] Key(string grain, string state, string grainClass)
    {
        var key = new ByteWriter();
        LogRecords.WriteKey(key, new ParticipantKey(grain, state, grainClass));
        return key.Written.ToArray();
    }
}
