using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Hosting;

/// <summary>Tables that name transactions which nothing in the cluster starts.</summary>
public sealed class PolicyTypesTests
{
    private const string Table = "is for other transactions";
    private const string Some = "names transaction types that nothing in this cluster starts";

    private readonly LogLines _lines = new("Polyjuice.Orleans");

    [Fact]
    public async Task A_table_none_of_whose_types_exist_is_warned_about_by_name_and_runs()
    {
        await using var cluster = await StartAsync(Named("other", "ITeler.Transfer", "NewOrder"));

        await cluster.Client.GetGrain<IAccount>(1).Deposit(1);

        Assert.Equal(1, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
        Assert.Contains("Policy other (version 1)", Assert.Single(Warnings(Table)), StringComparison.Ordinal);
        Assert.Contains(
            "ITeler.Transfer (is it ITeller.Transfer?), NewOrder.", Assert.Single(Warnings(Table)),
            StringComparison.Ordinal);
        Assert.Empty(Warnings(Some));
    }

    [Fact]
    public async Task What_can_be_started_is_no_reason_to_warn()
    {
        // By methods and by clients.
        await using var cluster = await StartAsync(Named("right", "ITeller.Transfer", "IAccount.Deposit", "Client"));
        var types = cluster.GetSiloServiceProvider().GetRequiredService<ITransactionTypes>();

        Assert.DoesNotContain(_lines.All, line => line.Text.Contains("Policy right", StringComparison.Ordinal));

        // By a generic interface, whatever its arguments are; not by a method that starts no transaction.
        Assert.True(types.Has("IBox[Int32].Put"));
        Assert.False(types.Has("IBox[Int32].Trace"));
        Assert.False(types.Has("ITeller.Gone"));
        Assert.False(types.Has("IGone.Transfer"));
        Assert.Contains("ITeller.Sum", types.Names);
    }

    [Fact]
    public async Task A_table_that_is_swapped_in_is_looked_at_and_a_type_that_it_lacks_is_named_alone()
    {
        await using var cluster = await StartAsync(BuiltinPolicies.Get("occ"));
        var policies = cluster.GetSiloServiceProvider().GetRequiredService<PolicyStore>();

        policies.Swap(Named("mistyped", "ITeller.Transfer", "IAccount.Depost"));

        var warning = Assert.Single(Warnings(Some));
        Assert.Contains("Policy mistyped (version 2)", warning, StringComparison.Ordinal);
        Assert.Contains(": IAccount.Depost (is it IAccount.Deposit?).", warning, StringComparison.Ordinal);
        Assert.DoesNotContain("ITeller.Transfer,", warning, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_published_table_is_looked_at_when_it_is_taken()
    {
        using var folder = new TestFolder();
        var repository = new PolicyRepository(new FilePolicyEntries(folder.Path), TimeProvider.System);
        await using var cluster = await StartAsync(
            BuiltinPolicies.Get("occ"), silo =>
                silo.AddFilePolicyStore(folder.Path, options => options.PollInterval = TimeSpan.FromMilliseconds(100)));
        var taken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        cluster.GetSiloServiceProvider().GetRequiredService<PolicyFollower>().Changed += change =>
        {
            if (change is { Kind: PolicyChangeKind.Taken, Policy: "other" }) taken.TrySetResult();
        };

        await repository.PublishAsync(PolicyWriter.Write(Named("other", "NewOrder").Document), "anna");
        await taken.Task.WaitAsync(TimeSpan.FromMinutes(2));

        Assert.Contains("NewOrder", Assert.Single(Warnings(Table)), StringComparison.Ordinal);
    }

    private static DocumentPolicy Named(string name, params string[] types)
    {
        var site = (string type) => new CatalogueSite($"{type} Grain.state update", "Grain.state", AccessKind.Update);
        return new(new PolicyDocument
        {
            Name = name, Rule = PolicyRules.Uniform,
            Catalogue = new SiteCatalogue
            {
                Version = 1,
                Types = [.. types.Select(type => new CatalogueType { Name = type, Sites = [site(type)] })]
            },
        });
    }

    private Task<global::Orleans.TestingHost.InProcessTestCluster> StartAsync(
        IPolicyCompiler policy, Action<ISiloBuilder>? configure = null) =>
        PolyjuiceCluster.StartAsync(1, silo =>
        {
            silo.ConfigureLogging(logging => logging.AddProvider(_lines));
            silo.Services.Configure<global::Orleans.Configuration.PolyjuiceOptions>(
                options => options.PolicyCompiler = policy);
            configure?.Invoke(silo);
        });

    private IEnumerable<string> Warnings(string what) =>
        _lines.All.Where(line => line.Level == LogLevel.Warning && line.Text.Contains(what, StringComparison.Ordinal))
            .Select(line => line.Text);
}
