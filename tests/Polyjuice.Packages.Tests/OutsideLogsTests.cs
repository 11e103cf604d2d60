namespace Polyjuice.Packages.Tests;

/// <summary>
/// A bank that keeps its money in a database, by a package and its configuration alone, finds all of it when it starts
/// again.
/// </summary>
public abstract class OutsideLogsTests(PackedPackages packages)
{
    private const string Logs = "Polyjuice__Logs__Default__";

    /// <summary>What the database is called in the configuration.</summary>
    protected abstract string Provider { get; }

    [ConditionalFact]
    public async Task An_application_finds_its_money_again_after_the_database_was_killed()
    {
        var applications = await packages.OutsideAsync();
        await using var database = await StartAsync();

        var first = await RunAsync(applications, database.ConnectionString);
        await database.KillAsync();
        await database.StartAgainAsync();
        var second = await RunAsync(applications, database.ConnectionString);

        Assert.Contains("engine: Polyjuice.Orleans", first, StringComparison.Ordinal);
        Assert.Contains("found: 0", first, StringComparison.Ordinal);
        Assert.Contains("found: 10", second, StringComparison.Ordinal);
        Assert.Contains("total: 1000", second, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task An_application_that_does_not_say_where_the_database_is_learns_what_to_set()
    {
        var applications = await packages.OutsideAsync();

        var wrong = await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync(applications, connection: null));

        Assert.Contains("ConnectionString", wrong.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("open", wrong.Message.Split(Environment.NewLine));
    }

    /// <summary>Starts the database.</summary>
    protected abstract Task<IDatabaseServer> StartAsync();

    private Task<string> RunAsync(OutsideApplications applications, string? connection)
    {
        // Two silos, one beside the other.
        var configuration = new Dictionary<string, string>
        {
            [$"{Logs}ProviderType"] = Provider,
            [$"{Logs}Lock"] = "false",
        };
        if (connection is not null) configuration[$"{Logs}ConnectionString"] = connection;
        return DotnetCommand.RunWithAsync(
            configuration, applications.Folder, [applications.KeptBank, .. OutsideApplications.Ports()]);
    }
}
