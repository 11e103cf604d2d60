using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Embedded.Tests.RealTime;
using Polyjuice.Policies;

namespace Polyjuice.Embedded.Tests.Hosting;

public sealed class HostTests
{
    [Fact]
    public async Task An_application_builder_starts_silos_and_other_services_find_them_running()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddHostedService<Caller>();
        builder.UseOrleans(silo => silo
            .UseLocalhostClustering()
            .UseEmbeddedCluster(Shape)
            .UsePolyjuice(options => options.Policy = "locking"));
        using var host = builder.Build();
        await host.StartAsync();
        Assert.Equal("early: hello", Caller.Answer);
        var cluster = host.Services.GetRequiredService<EmbeddedCluster>();
        Assert.Equal(2, cluster.Silos.Count);
        Assert.Same(cluster.Policies, host.Services.GetRequiredService<PolicyStore>());
        Assert.Equal("locking", cluster.Policies.Current.Name);
        await host.Services.GetRequiredService<ITransactionClient>().RunTransaction(
            TransactionOption.Create, () => host.Services.GetRequiredService<IClusterClient>().GetGrain<IAccount>("a").AddJoined(1));
        Assert.Equal(101, await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a").Get());
        await host.StopAsync();
        Assert.All(cluster.Silos, silo => Assert.False(silo.IsRunning));
    }

    [Fact]
    public async Task A_host_builder_starts_silos_and_grains_get_its_services()
    {
        var log = new Recorder();
        using var host = new HostBuilder()
            .ConfigureLogging(logging => logging.AddProvider(log))
            .UseOrleans(silo => silo
                .ConfigureServices(services => services.AddSingleton(new Greeting("good day")))
                .Configure<GrainCollectionOptions>(options => options.CollectionAge = TimeSpan.FromMinutes(1))
                .UseEmbeddedCluster(Shape)
                .UsePolyjuice())
            .Build();
        await host.StartAsync();
        Assert.Equal("good day", await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IGreeter>("k").Greet());
        Assert.Contains(log.Lines, line => line.Contains("This is not Orleans", StringComparison.Ordinal));
        await host.StopAsync();
    }

    [Fact]
    public async Task A_wrong_option_stops_the_host_from_starting()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.UseOrleans(silo => silo.UsePolyjuice(options => options.Engine.MaxAttempts = 0).UseEmbeddedCluster(Shape));
        using var host = builder.Build();
        var refusal = await Assert.ThrowsAsync<OrleansConfigurationException>(() => host.StartAsync());
        Assert.Contains("MaxAttempts", refusal.Message);
    }

    public static TheoryData<string, Action<EmbeddedClusterOptions>> Ignored => new()
    {
        { "EmbeddedClusterOptions.PolicyName has no effect", options => options.PolicyName = "ic3" },
        { "EmbeddedClusterOptions.Policy has no effect", options => options.Policy = BuiltinPolicies.Get("ic3") },
        { "EmbeddedClusterOptions.Engine.MaxAttempts has no effect", options => options.Engine.MaxAttempts = 3 },
        { "EmbeddedClusterOptions.ConfigureServices has no effect", options => options.ConfigureServices = _ => { } },
    };

    [Theory]
    [MemberData(nameof(Ignored), DisableDiscoveryEnumeration = true)]
    public async Task An_option_that_a_host_decides_elsewhere_is_refused_by_name(string message, Action<EmbeddedClusterOptions> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.UseOrleans(silo => silo.UsePolyjuice().UseEmbeddedCluster(options =>
        {
            Shape(options);
            configure(options);
        }));
        using var host = builder.Build();
        var refusal = await Assert.ThrowsAsync<OrleansConfigurationException>(() => host.StartAsync());
        Assert.Contains(message, refusal.Message);
    }

    [Fact]
    public void Grains_are_not_reachable_before_the_start()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.UseOrleans(silo => silo.UseEmbeddedCluster(Shape));
        using var host = builder.Build();
        var grains = host.Services.GetRequiredService<IGrainFactory>();
        Assert.Throws<InvalidOperationException>(() => grains.GetGrain<ICallee>("k"));
    }

    private static void Shape(EmbeddedClusterOptions options)
    {
        options.Silos = 2;
        options.Data = EmbeddedCluster.MemoryData;
        options.GrainClassFilter = type => type.Namespace is "Polyjuice.Embedded.Tests.RealTime" or "Polyjuice.Embedded.Tests.Hosting";
    }

    private sealed class Caller(IGrainFactory grains) : IHostedService
    {
        public static string? Answer { get; private set; }

        public async Task StartAsync(CancellationToken cancellationToken) => Answer = await grains.GetGrain<ICallee>("early").Echo("hello");

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }

    private sealed class Recorder : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Lines { get; } = new();

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Lines.Enqueue(formatter(state, exception));

        public void Dispose()
        {
        }
    }
}

public sealed record Greeting(string Text);

public interface IGreeter : IGrainWithStringKey
{
    Task<string> Greet();
}

public sealed class GreeterGrain(Greeting greeting, IGrainContext context) : Grain, IGreeter
{
    public Task<string> Greet() => Task.FromResult(ReferenceEquals(context, GrainContext) ? greeting.Text : "somebody else's context");
}
