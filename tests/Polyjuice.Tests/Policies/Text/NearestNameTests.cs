using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Text;

public sealed class NearestNameTests
{
    private static readonly string[] _known =
    [
        "ITeller.Transfer", "ITeller.Sum", "IAccount.Deposit", "IAccount.Withdraw", "Client"
    ];

    [Theory]
    [InlineData("ITeler.Transfer", "ITeller.Transfer")]
    [InlineData("ITeller.transfer", "ITeller.Transfer")]
    [InlineData("IAccount.Deposits", "IAccount.Deposit")]
    [InlineData("ICount.Deposit", "IAccount.Deposit")]
    [InlineData("clients", "Client")]
    [InlineData("NewOrder", null)]
    [InlineData("IShop.Buy", null)]
    [InlineData("", null)]
    public void The_name_with_the_fewest_errors_is_meant_if_it_has_few(string name, string? nearest) =>
        Assert.Equal(nearest, NearestName.Of(name, _known));

    [Fact]
    public void Of_two_that_are_as_near_the_first_in_order_is_named() =>
        Assert.Equal("IBank.Pay1", NearestName.Of("IBank.Pay", ["IBank.Pay2", "IBank.Pay1"]));

    [Fact]
    public void Where_nothing_is_known_nothing_is_meant() => Assert.Null(NearestName.Of("IBank.Pay", []));
}
