using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Storage;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>
/// A silo with logs that outlive it keeps no state in Orleans' memory storage by accident: it would be lost.
/// </summary>
public sealed class ForgottenStatesTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_silo_with_logs_in_files_and_a_default_storage_in_memory_does_not_start_and_says_what_to_do()
    {
        var exception = await Assert.ThrowsAnyAsync<Exception>(
            () => PolyjuiceCluster.StartAsync(1, silo => InFiles(silo).AddMemoryGrainStorageAsDefault()));

        var message = exception.ToString();
        string[] parts =
        [
            nameof(OrleansConfigurationException), "State '", " of grain class ", "default storage provider",
            nameof(MemoryGrainStorage), "the log 'Default'", "StateStorage.Log", "StateStorage.Provider",
        ];
        foreach (var part in parts) Assert.Contains(part, message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_storage_of_a_name_is_refused_with_its_name()
    {
        using var silo = Silo(silo => InFiles(silo).AddMemoryGrainStorage("rows"));

        Assert.Contains("'rows'", Why(silo, "rows"), StringComparison.Ordinal);
        Assert.Contains("[\"rows\"]", Why(silo, "rows"), StringComparison.Ordinal);
        Assert.Null(Why(silo, "others"));
        Assert.Null(Why(silo, null));
    }

    [Theory]
    [InlineData(StateStorage.Log)]
    [InlineData(StateStorage.Provider)]
    public void What_was_chosen_stays_so(StateStorage choice)
    {
        using var all = Silo(silo => InFiles(silo).AddMemoryGrainStorageAsDefault()
            .Configure<PolyjuiceOptions>(options => options.StateStorage = choice));
        using var one = Silo(silo => InFiles(silo).AddMemoryGrainStorageAsDefault()
            .Configure<PolyjuiceOptions>(options => options.StateStorageOf[""] = choice));

        Assert.Null(Why(all, null));
        Assert.Null(Why(one, null));
        one.Services.GetServices<IConfigurationValidator>().ToList().ForEach(rule => rule.ValidateConfiguration());
    }

    [Fact]
    public void Beside_logs_in_memory_nothing_more_is_lost()
    {
        using var none = Silo(silo => silo.AddMemoryGrainStorageAsDefault());
        using var memory = Silo(silo => silo.AddMemoryLogAsDefault().AddMemoryGrainStorageAsDefault());

        Assert.Null(Why(none, null));
        Assert.Null(Why(memory, null));
    }

    [Fact]
    public void A_storage_that_may_remember_is_used()
    {
        using var silo = Silo(silo =>
        {
            InFiles(silo).AddMemoryGrainStorage("rows");
            silo.Services.AddKeyedSingleton<ITransactionalStateStorageFactory>(
                "rows", (_, _) => throw new InvalidOperationException("must not be made"));
        });

        Assert.Null(Why(silo, "rows"));
    }

    private static string? Why(IHost silo, string? storage) => new StateStorageResolver(
        silo.Services.GetRequiredService<IOptions<PolyjuiceOptions>>(), silo.Services)
        .WhyForgotten("balance", storage, typeof(RowAccountGrain));

    private static IHost Silo(Action<ISiloBuilder> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering().UsePolyjuice();
            configure(silo);
        });
        return builder.Build();
    }

    private ISiloBuilder InFiles(ISiloBuilder silo) =>
        silo.AddFileLogAsDefault(options => options.Directory = _folder.File("logs"));
}
