namespace Polyjuice.Cli.Tests;

public sealed class ChangeTextTests
{
    [Theory]
    [InlineData(0.1234, "+12.3%")]
    [InlineData(-0.004, "-0.4%")]
    [InlineData(0, "+0.0%")]
    [InlineData(0.0004, "+0.0%")]
    [InlineData(-0.0004, "+0.0%")]
    [InlineData(-0.0006, "-0.1%")]
    [InlineData(-0.0, "+0.0%")]
    public void A_change_has_one_sign_even_if_it_rounds_to_nothing(double share, string expected) =>
        Assert.Equal(expected, ChangeText.Of(share));

    [Fact]
    public void Its_error_stands_behind_it() => Assert.Equal("-12.3% ±0.5%", ChangeText.With(-0.1234, 0.005));
}
