namespace Polyjuice.Cli.Tests.Commands;

public sealed class PolicyPublishCommandTests : IDisposable
{
    private readonly Tool _tool = new();

    private string Store => _tool.PathOf("published");

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task What_is_published_is_in_force_until_it_is_taken_back()
    {
        Directory.CreateDirectory(Store);
        Assert.Contains("Nothing is published", (await _tool.RunAsync("policy", "status", "--store", Store)).Output);
        Assert.Equal(
            (0, $"Published occ as release 1 of {Store}, not signed.\n"),
            await DoneAsync("policy", "publish", "occ", "--store", Store, "--by", "anna"));
        await DoneAsync("policy", "publish", "ic3", "--store", Store, "--by", "ben", "--expect", "1");
        var status = await DoneAsync("policy", "status", "--store", Store);
        Assert.Equal(0, status.ExitCode);
        Assert.Contains("by ben: release of ic3", status.Output);
        Assert.Contains("Published: release 2, ic3.", status.Output);

        Assert.Contains(
            "takes release 2 back; release 1 is in force again",
            (await DoneAsync("policy", "rollback", "--store", Store, "--reason", "slow on Mondays")).Output);
        status = await DoneAsync("policy", "status", "--store", Store);
        Assert.Contains("Published: release 1, occ.", status.Output);
        Assert.Contains("slow on Mondays", status.Output);
    }

    [Fact]
    public async Task Of_a_folder_that_is_not_there_it_says_so_and_not_that_nothing_is_published()
    {
        var answer = await _tool.RunAsync("policy", "status", "--store", Store);

        Assert.Equal((2, ""), (answer.ExitCode, answer.Output));
        Assert.Contains($"There is no folder {Store}", answer.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_is_published_is_not_yet_what_silos_run()
    {
        await DoneAsync("policy", "publish", "occ", "--store", Store);

        var status = await DoneAsync("policy", "status", "--store", Store);

        Assert.Contains("A silo may refuse it", status.Output, StringComparison.Ordinal);
        Assert.Contains("polyjuice.policy.release", status.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("In force", status.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Who_expected_something_else_is_told_and_publishes_nothing()
    {
        await DoneAsync("policy", "publish", "occ", "--store", Store);

        var answer = await _tool.RunAsync("policy", "publish", "ic3", "--store", Store, "--expect", "0");

        Assert.Equal((1, ""), (answer.ExitCode, answer.Output));
        Assert.Contains("has 1 entries, and 0 were expected", answer.Error);
        Assert.Single(Directory.EnumerateFiles(Store));
    }

    [Fact]
    public async Task What_is_no_policy_is_refused_by_its_place_and_nothing_is_made()
    {
        var answer = await _tool.RunAsync(
            "policy", "publish", _tool.Write("bad.json", "{\n  \"schema\": 7\n}"), "--store", Store);

        Assert.Equal(2, answer.ExitCode);
        Assert.Contains("bad.json(2,13)", answer.Error);
        Assert.False(Directory.Exists(Store));
    }

    [Fact]
    public async Task Provenance_beside_the_policy_is_published_with_it()
    {
        var document = (await DoneAsync("policy", "show", "occ", "--json")).Output;
        _tool.Write("mine.provenance.json", "{ \"made\": \"by a test\" }");
        await DoneAsync("policy", "publish", _tool.Write("mine.json", document), "--store", Store);

        Assert.Contains("by a test", await File.ReadAllTextAsync(Path.Combine(Store, "00000001.json")));
    }

    [Fact]
    public async Task A_signature_is_checked_by_the_public_key()
    {
        await DoneAsync("policy", "keygen", "--out", _tool.PathOf("anna"));
        await DoneAsync("policy", "keygen", "--out", _tool.PathOf("silo"));
        await DoneAsync("policy", "publish", "occ", "--store", Store, "--key", _tool.PathOf("anna"));
        await DoneAsync("policy", "publish", "ic3", "--store", Store);
        await DoneAsync("policy", "publish", "locking", "--store", Store, "--key", _tool.PathOf("silo"));

        var answer = await _tool.RunAsync(
            "policy", "status", "--store", Store, "--publisher-key", _tool.PathOf("anna.pub"), "--rollback-key",
            _tool.PathOf("silo.pub"));

        Assert.Equal(1, answer.ExitCode);
        Assert.Contains("PASSED OVER: it is not signed", answer.Output);
        Assert.Contains("which may only roll back", answer.Output);
        Assert.Contains("Published: release 1, occ.", answer.Output);
        Assert.Equal(0, (await _tool.RunAsync("policy", "status", "--store", Store)).ExitCode);
    }

    [Fact]
    public async Task A_key_is_never_written_over()
    {
        await DoneAsync("policy", "keygen", "--out", _tool.PathOf("key"));
        var before = await File.ReadAllTextAsync(_tool.PathOf("key"));

        Assert.Equal(2, (await _tool.RunAsync("policy", "keygen", "--out", _tool.PathOf("key"))).ExitCode);
        File.Delete(_tool.PathOf("key.pub"));
        Assert.Equal(2, (await _tool.RunAsync("policy", "keygen", "--out", _tool.PathOf("key"))).ExitCode);
        Assert.Equal(before, await File.ReadAllTextAsync(_tool.PathOf("key")));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(_tool.PathOf("key")));
    }

    [Fact]
    public async Task A_damaged_entry_that_another_follows_on_is_named_and_nothing_is_published_behind_it()
    {
        await DoneAsync("policy", "publish", "occ", "--store", Store);
        await DoneAsync("policy", "publish", "locking", "--store", Store);
        await File.AppendAllTextAsync(Path.Combine(Store, "00000001.json"), " ");

        var status = await _tool.RunAsync("policy", "status", "--store", Store);
        Assert.Equal(1, status.ExitCode);
        Assert.Contains("BROKEN", status.Output);
        var publish = await _tool.RunAsync("policy", "publish", "ic3", "--store", Store);
        Assert.Equal(2, publish.ExitCode);
        Assert.Contains("Entry 1", publish.Error);
    }

    [Fact]
    public async Task Garbage_under_the_next_number_is_named_and_stops_no_publishing()
    {
        await DoneAsync("policy", "publish", "occ", "--store", Store);
        await File.WriteAllTextAsync(Path.Combine(Store, "00000002.json"), "garbage");

        await DoneAsync("policy", "publish", "ic3", "--store", Store);

        var status = await _tool.RunAsync("policy", "status", "--store", Store);
        Assert.Equal(1, status.ExitCode);
        Assert.Contains("PASSED OVER: it can't be read", status.Output, StringComparison.Ordinal);
        Assert.Contains("Published: release 3, ic3.", status.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wrong_key_or_nothing_to_take_back_is_refused()
    {
        var answer = await _tool.RunAsync(
            "policy", "publish", "occ", "--store", Store, "--key", _tool.Write("key", "a secret"));
        Assert.Equal(2, answer.ExitCode);
        Assert.DoesNotContain("a secret", answer.Error);
        Assert.Equal(2, (await _tool.RunAsync("policy", "rollback", "--store", Store, "--reason", "none")).ExitCode);
        Assert.Equal(
            2, (await _tool.RunAsync("policy", "status", "--store", "https://orders.blob.core.windows.net")).ExitCode);
    }

    private async Task<(int ExitCode, string Output)> DoneAsync(params string[] args)
    {
        var answer = await _tool.RunAsync(args);
        Assert.Equal("", answer.Error);
        Assert.Equal(0, answer.ExitCode);
        return (answer.ExitCode, answer.Output);
    }
}
