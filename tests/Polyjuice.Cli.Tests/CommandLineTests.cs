namespace Polyjuice.Cli.Tests;

public sealed class CommandLineTests : IDisposable
{
    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Theory]
    [InlineData("policy")]
    [InlineData("polcy", "list")]
    [InlineData]
    public async Task An_unknown_or_missing_command_is_answered_with_the_valid_ones(params string[] args)
    {
        var answer = await _tool.RunAsync(args);
        Assert.Equal(2, answer.ExitCode);
        Assert.Contains("Valid commands of 'polyjuice", answer.Error);
        var commands = args is ["policy"] ? "list, show, validate, diff, explain, import, export" : "policy";
        Assert.Contains(commands, answer.Error);
        Assert.Empty(answer.Output);
    }

    [Theory]
    [InlineData("Unknown command 'polcy'. Did you mean 'policy'?", "polcy", "list")]
    [InlineData("Unknown command 'lst'. Did you mean 'list'?", "policy", "lst")]
    [InlineData("Unknown command 'frobnicate'.", "frobnicate", "--hard")]
    [InlineData("Required command was not provided.", "policy")]
    public async Task The_first_line_says_which_command_is_unknown_and_what_was_meant(
        string expected, params string[] args)
    {
        var answer = await _tool.RunAsync(args);

        Assert.Equal(expected, answer.Error.Split('\n')[0].TrimEnd('\r'));
    }

    [Theory]
    [InlineData("policy", "show", "occ", "--colour")]
    [InlineData("policy", "show")]
    [InlineData("policy", "show", "occ", "ic3")]
    public async Task An_unknown_option_or_a_wrong_number_of_arguments_is_answered_with_the_valid_ones(
        params string[] args)
    {
        var answer = await _tool.RunAsync(args);
        Assert.Equal(2, answer.ExitCode);
        Assert.Contains("Valid options of 'polyjuice policy show': --workload, --json", answer.Error);
        Assert.Contains("Valid arguments of 'polyjuice policy show': <policy>", answer.Error);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("policy", "--help")]
    [InlineData("policy", "import", "--help")]
    public async Task Help_is_an_answer(params string[] args)
    {
        var answer = await _tool.RunAsync(args);
        Assert.Equal(0, answer.ExitCode);
        Assert.Contains("Usage:", answer.Output);
        Assert.Empty(answer.Error);
    }
}
