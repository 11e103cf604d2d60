using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Groups;

/// <summary>
/// Versions of an application that declare groups differently, one after the other on the same files.
/// </summary>
public sealed class GroupGuardTests : IDisposable
{
    private const int Partitions = 8;
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-tests-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_silo_with_another_declaration_than_its_logs_does_not_start_and_says_both(bool isChanged)
    {
        await FillAsync(new OtherRules());
        var other = isChanged
            ? new OtherRules().With<ShelfGrain, OtherRules.ByTen>()
            : new OtherRules().With<ShelfGrain, OtherRules.Nothing>();

        var refusal = await RefusalAsync(other);

        Assert.IsType<OrleansConfigurationException>(refusal);
        Assert.Contains(
            $"Grain class {typeof(ShelfGrain)} declares "
            + $"{(isChanged ? "the group 'depot: integer key / 10'" : "no group")}",
            refusal.Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "when it declared the group 'depot: integer key / 100'", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("State 'items' of grain shelf/", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(_folder, refusal.Message, StringComparison.Ordinal);
        await RequireFilledAsync(new OtherRules());
    }

    [Fact]
    public async Task A_class_that_had_no_group_can_not_have_one_once_the_logs_hold_its_states()
    {
        var before = new OtherRules().With<ShelfGrain, OtherRules.Nothing>();
        await FillAsync(before);

        var refusal = await RefusalAsync(new OtherRules());

        Assert.IsType<OrleansConfigurationException>(refusal);
        Assert.Contains("when it declared no group", refusal.Message, StringComparison.Ordinal);
        await RequireFilledAsync(before);
    }

    [Fact]
    public async Task A_class_of_which_the_logs_hold_nothing_may_declare_what_it_likes()
    {
        await using (var cluster = await StartAsync(new OtherRules().With<ShelfGrain, OtherRules.ByTen>()))
            await cluster.Client.GetGrain<IAccount>(1).Deposit(5);

        await FillAsync(new OtherRules());

        await using (var cluster = await StartAsync(new OtherRules()))
            Assert.Equal(5, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
        await RequireFilledAsync(new OtherRules());
    }

    [Fact]
    public async Task What_is_noted_beside_the_logs_is_only_what_classes_declare()
    {
        await FillAsync(new OtherRules());

        var note = await File.ReadAllTextAsync(
            Assert.Single(Directory.GetFiles(Path.Combine(_folder, "notes", "groups"))));

        Assert.Contains("\"shelf\": \"depot: integer key / 100\"", note, StringComparison.Ordinal);
        Assert.DoesNotContain("account", note, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Logs_without_a_note_are_looked_through()
    {
        await FillAsync(new OtherRules().With<ShelfGrain, OtherRules.Nothing>());
        Directory.Delete(Path.Combine(_folder, "notes"), recursive: true);

        var refusal = await RefusalAsync(new OtherRules());

        Assert.Contains("State 'items' of grain shelf/", refusal?.Message, StringComparison.Ordinal);
    }

    private async Task FillAsync(OtherRules rules)
    {
        await using var cluster = await StartAsync(rules);
        for (var shelf = 0; shelf < 10 * Partitions; shelf++)
            await cluster.Client.GetGrain<IShelf>(shelf * 7).Add(shelf + 1);
    }

    private async Task RequireFilledAsync(OtherRules rules)
    {
        await using var cluster = await StartAsync(rules);
        for (var shelf = 0; shelf < 10 * Partitions; shelf++)
            Assert.Equal(shelf + 1, await cluster.Client.GetGrain<IShelf>(shelf * 7).Get());
    }

    private async Task<InProcessTestCluster> StartAsync(OtherRules rules)
    {
        var cluster = Build(rules, new RefusedSilo(), silos: 1);
        await cluster.DeployAsync();
        return cluster;
    }

    private async Task<Exception?> RefusalAsync(OtherRules rules)
    {
        var refused = new RefusedSilo();
        await using var cluster = Build(rules, refused, silos: 0);
        await cluster.DeployAsync();
        var refusal = await refused.StartAsync(cluster);
        return refusal is AggregateException { InnerException: { } inner } ? inner : refusal;
    }

    private InProcessTestCluster Build(OtherRules rules, RefusedSilo refused, short silos)
    {
        var builder = new InProcessTestClusterBuilder(silos);
        if (silos == 0) builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSilo((_, silo) =>
        {
            refused.Watch(silo).ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning)).UsePolyjuice()
                .AddFileLogAsDefault(files => (files.Directory, files.NewPartitions) = (_folder, Partitions));
            rules.Use(silo);
        });
        return builder.Build();
    }
}
