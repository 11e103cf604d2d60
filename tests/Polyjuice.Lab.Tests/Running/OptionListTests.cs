using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Tests.Running;

public class OptionListTests
{
    private static readonly OptionList _options = new(["--rate", "--fast", "--name"], "--fast");

    [Fact]
    public void Values_follow_or_are_joined_and_switches_have_none() =>
        Assert.Equal(
            [("--rate", "5"), ("--fast", ""), ("--name", "a=b")],
            _options.Read(["--rate", "5", "--fast", "--name=a=b"]));

    [Theory]
    [InlineData("--view", "")]
    [InlineData("--view --fast", "")]
    [InlineData("--view 5", "5")]
    [InlineData("--view=", "")]
    [InlineData("--view=5 --fast", "5")]
    public void A_value_may_be_left_out_where_the_list_says_so(string arguments, string expected) =>
        Assert.Equal(
            ("--view", expected),
            new OptionList(["--view", "--fast"], "--fast")
            {
                WithOptionalValue = ["--view"]
            }.Read(arguments.Split(' ')).First());

    [Theory]
    [InlineData("--speed", "Valid: --rate, --fast, --name")]
    [InlineData("--rate", "a value is missing")]
    public void What_is_not_valid_is_answered_with_what_is(string argument, string expected)
    {
        var exception = Assert.Throws<CommandInputException>(() => _options.Read([argument]).ToList());
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Help_is_heard_wherever_it_is_asked_for()
    {
        Assert.True(OptionList.AsksForHelp(["--rate", "5", "-h"]));
        Assert.False(OptionList.AsksForHelp(["--rate", "5"]));
    }
}
