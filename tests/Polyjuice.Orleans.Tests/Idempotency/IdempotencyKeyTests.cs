namespace Polyjuice.Orleans.Tests.Idempotency;

public sealed class IdempotencyKeyTests
{
    [Fact]
    public void A_key_is_ambient_until_its_scope_ends()
    {
        Assert.Null(IdempotencyKey.Current);
        using (IdempotencyKey.Use("outer"))
        {
            var inner = IdempotencyKey.Use("inner");
            Assert.Equal("inner", IdempotencyKey.Current);
            inner.Dispose();
            Assert.Equal("outer", IdempotencyKey.Current);
            inner.Dispose();
            Assert.Equal("outer", IdempotencyKey.Current);
        }

        Assert.Null(IdempotencyKey.Current);
    }

    [Fact]
    public async Task A_key_flows_into_what_is_awaited_and_not_out_of_it()
    {
        await UseAsync("mine");
        Assert.Null(IdempotencyKey.Current);

        static async Task UseAsync(string key)
        {
            _ = IdempotencyKey.Use(key);
            await Task.Yield();
            Assert.Equal(key, IdempotencyKey.Current);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData(" \t")]
    public void A_key_says_something(string key) => Assert.Throws<ArgumentException>(() => IdempotencyKey.Use(key));

    [Fact]
    public void A_key_is_not_too_long()
    {
        Assert.Throws<ArgumentNullException>(() => IdempotencyKey.Use(null!));
        Assert.Throws<ArgumentException>(() => IdempotencyKey.Use(new string('k', IdempotencyKey.LengthMax + 1)));
        using var longest = IdempotencyKey.Use(new string('k', IdempotencyKey.LengthMax));
        Assert.Equal(IdempotencyKey.LengthMax, IdempotencyKey.Current!.Length);
    }
}
