namespace Polyjuice.Packages.Tests;

[Collection(PackagesCollection.Name)]
public class OutsideApplicationTests(PackedPackages packages)
{
    [Fact]
    public async Task An_application_changes_one_line_and_one_package_and_conserves_money_on_the_other_engine()
    {
        var applications = await packages.OutsideAsync();
        var before = await DotnetCommand.RunAsync(
            applications.Folder, [applications.OriginalBank, .. OutsideApplications.Ports()]);
        Assert.Contains("engine: Orleans.Transactions", before, StringComparison.Ordinal);
        Assert.Contains("total: 1000", before, StringComparison.Ordinal);

        var after = await DotnetCommand.RunAsync(
            applications.Folder, [applications.Bank, .. OutsideApplications.Ports()]);
        Assert.Contains("engine: Polyjuice.Orleans", after, StringComparison.Ordinal);
        Assert.Contains("sent: True", after, StringComparison.Ordinal);
        Assert.Contains("total: 1000", after, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_program_that_is_a_client_alone_starts_transactions()
    {
        var applications = await packages.OutsideAsync();
        var ports = OutsideApplications.Ports();
        using var bank = DotnetCommand.Start(applications.Folder, [applications.Bank, .. ports]);
        await bank.WhenPrintedAsync("open");
        var teller = await DotnetCommand.RunAsync(applications.Folder, applications.Teller, ports[2]);
        await bank.EndAsync();

        Assert.Contains("engine: Polyjuice.Orleans", teller, StringComparison.Ordinal);
        Assert.Contains("balances: 40 30", teller, StringComparison.Ordinal);

        // It runs where ASP.NET Core is not installed.
        var needs = await File.ReadAllTextAsync(Path.ChangeExtension(applications.Teller, ".runtimeconfig.json"));
        Assert.DoesNotContain("AspNetCore", needs, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tests_of_an_application_start_clusters_that_crash_and_judge_them()
    {
        var applications = await packages.OutsideAsync();
        var output = await DotnetCommand.RunAsync(applications.Folder, "test", applications.Tests);
        Assert.Contains("Passed!", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Grains_that_do_wrong_are_found_when_an_application_compiles_them()
    {
        var applications = await packages.OutsideAsync();
        var output = await DotnetCommand.RunAsync(applications.Shop, "build");
        Assert.Contains(
            "StockGrain.cs(12,21): warning PJ0001: Mark StockGrain [Reentrant]", output, StringComparison.Ordinal);
        Assert.Contains("StockGrain.cs(14,54): warning PJ0006: Use PerformUpdate", output, StringComparison.Ordinal);

        // An analyzer that does not load, or throws, is a warning too.
        Assert.DoesNotContain("AD0001", output, StringComparison.Ordinal);
        Assert.DoesNotContain("CS8032", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_tool_installs_and_says_what_it_can_and_which_tables_are_built_in()
    {
        using var folder = new TestFolder();
        string[] what = ["polyjuice", "--version", packages.Version, "--add-source", packages.Folder];
        await DotnetCommand.RunAsync(folder.Path, ["tool", "install", .. what, "--tool-path", folder.File("tools")]);
        var tool = Directory.GetFiles(folder.File("tools"), "polyjuice*").Single();
        var help = await DotnetCommand.RunProgramAsync(tool, folder.Path, "--help");
        string[] commands = ["policy", "log", "trace", "train", "trainer", "check"];
        Assert.All(commands, command => Assert.Contains($"  {command} ", help, StringComparison.Ordinal));
        var list = await DotnetCommand.RunProgramAsync(tool, folder.Path, "policy", "list");
        Assert.All(["occ", "ic3", "locking"], table => Assert.Contains(table, list, StringComparison.Ordinal));
    }
}
