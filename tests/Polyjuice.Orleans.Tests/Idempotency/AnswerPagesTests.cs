using Orleans.Runtime;
using Polyjuice.Orleans.Idempotency;

namespace Polyjuice.Orleans.Tests.Idempotency;

public sealed class AnswerPagesTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(64)]
    public void A_page_is_in_the_log_of_the_grain_that_is_called(int partitions)
    {
        var call = PageNames.CallOf(GrainId.Create("till", "1"), "key");
        for (var partition = 0; partition < partitions; partition++)
        {
            var page = GrainId.Create(IdempotencyKeys.Type, PageNames.KeyOf(call, 2, partition, partitions));
            Assert.Equal(partition, Polyjuice.Contracts.StableHash.Partition(page.ToString(), partitions));
        }
    }

    [Fact]
    public void A_page_below_has_a_part_of_what_goes_to_the_one_above()
    {
        var call = PageNames.CallOf(GrainId.Create("till", "1"), "key");
        var digits = call.ToString("n");
        var top = KeyAt(0);
        Assert.Equal(top + digits[3], KeyAt(1));
        Assert.Equal(top + digits[3..], KeyAt(PageNames.LevelsMax - 1));

        string KeyAt(int level) => PageNames.KeyOf(call, level, 0, 1).Split('-')[0];
    }

    [Fact]
    public void There_are_so_many_pages_at_the_top()
    {
        var grain = GrainId.Create("till", "1");
        var keys = Enumerable.Range(0, 20 * PageNames.PagesAtTop)
            .Select(key => PageNames.KeyOf(PageNames.CallOf(grain, $"{key}"), 0, 0, 1)).Distinct();
        Assert.Equal(PageNames.PagesAtTop, keys.Count());
    }

    [Fact]
    public void Another_grain_s_call_and_another_key_s_have_other_names()
    {
        var grain = GrainId.Create("till", "1");
        Guid[] names =
        [
            PageNames.CallOf(grain, "key"), PageNames.CallOf(grain, "other"),
            PageNames.CallOf(GrainId.Create("till", "2"), "key"),
        ];
        Assert.Equal(3, names.Distinct().Count());
    }

    [Fact]
    public void A_record_that_has_expired_is_not_found_and_makes_room()
    {
        var page = new AnsweredCalls();
        var names = Enumerable.Range(0, AnsweredCalls.CallsMax).Select(_ => Guid.NewGuid()).ToArray();
        foreach (var name in names) page.Keep(new(name, default, ExpiresAt: 10, [1, 2]), now: 0);

        var before = page.Find(names[3], now: 9);
        Assert.Equal((AnsweredCalls.CallsMax, 2 * AnsweredCalls.CallsMax), (before.Calls, before.Bytes));
        Assert.Equal(names[3], before.Call?.Name);
        Assert.False(before.HasRoomFor(1));

        var after = page.Find(names[3], now: 10);
        Assert.Null(after.Call);
        Assert.True(after.HasRoomFor(AnsweredCalls.BytesMax * 2));
        page.Keep(new(names[3], default, ExpiresAt: 20, []), now: 10);
        Assert.Equal(20, Assert.Single(page.Calls).ExpiresAt);
    }

    [Fact]
    public void Large_answers_fill_a_page_sooner()
    {
        var page = new AnsweredCalls();
        page.Keep(new(Guid.NewGuid(), default, ExpiresAt: 10, new byte[AnsweredCalls.BytesMax - 10]), now: 0);
        var look = page.Find(Guid.NewGuid(), now: 0);
        Assert.True(look.HasRoomFor(10));
        Assert.False(look.HasRoomFor(11));
    }
}
