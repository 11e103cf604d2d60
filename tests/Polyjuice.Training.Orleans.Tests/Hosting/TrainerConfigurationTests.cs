using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Diagnostics;
using Polyjuice.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Training.Orleans.Tests.Hosting;

public sealed class TrainerConfigurationTests
{
    private static readonly PolicySigningKey s_key = PolicySigningKey.Generate();

    [Fact]
    public void A_silo_that_records_and_follows_is_accepted_in_whatever_order_it_is_told()
    {
        Validate(silo => silo.AddTrainer(options => options.StateFolder = "state"));
        using var host = Build(silo => silo.AddTrainer(options => options.StateFolder = "state"));
        Assert.IsType<LocalTrainer>(host.Services.GetRequiredService<ITrainingStatus>());
        Assert.Contains("not on this silo", host.Services.GetRequiredService<ITrainingStatus>().Current.State,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_silo_that_records_nothing_is_refused() =>
        Assert.Contains("AddFileTraces()",
            RefusalOf(silo => silo.Configure<PolyjuiceOptions>(options => options.TraceSink = null)),
            StringComparison.Ordinal);

    [Fact]
    public void Traces_that_nobody_can_read_are_refused() =>
        Assert.Contains(nameof(MemoryTraceSink),
            RefusalOf(silo => silo.Configure<PolyjuiceOptions>(options => options.TraceSink = new MemoryTraceSink())),
            StringComparison.Ordinal);

    [Fact]
    public void A_silo_that_follows_nothing_is_refused()
    {
        using var host = Build(silo => silo.AddTrainer(options => options.StateFolder = "state"), follows: false);
        Assert.Contains("AddFilePolicyStore()",
            Assert.Throws<OrleansConfigurationException>(() => Validate(host)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_silo_without_Polyjuice_is_refused()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.UseOrleans(silo => silo.UseLocalhostClustering().AddTrainer(options => options.StateFolder = "state"));
        using var host = builder.Build();
        Assert.Contains("UsePolyjuice()", Assert.Throws<OrleansConfigurationException>(() => Validate(host)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_key_is_needed_where_silos_need_one_and_must_be_theirs()
    {
        Assert.Contains("SigningKey is missing", RefusalOf(Needs), StringComparison.Ordinal);
        Assert.Contains("none of PublishedPoliciesOptions.PublisherKeys",
            RefusalOf(Needs, options => options.SigningKey = PolicySigningKey.Generate().ToPem()),
            StringComparison.Ordinal);
        Assert.Contains("SiloTrainerOptions.SigningKey: ", RefusalOf(Needs, options => options.SigningKey = "no key"),
            StringComparison.Ordinal);
        Validate(silo =>
            Needs(silo.AddTrainer(options => (options.StateFolder, options.SigningKey) = ("state", s_key.ToPem()))));

        static void Needs(ISiloBuilder silo) =>
            silo.Configure<Publishing.Following.PublishedPoliciesOptions>(options =>
            options.PublisherKeys.Add(s_key.Verification.ToPem()));
    }

    [Fact]
    public void What_is_out_of_bounds_is_refused_by_name_and_with_its_value()
    {
        Assert.Contains("StateFolder is missing", RefusalOf(_ => { }, options => options.StateFolder = ""),
            StringComparison.Ordinal);
        Assert.Contains("Threads", RefusalOf(_ => { }, options => options.Threads = 0), StringComparison.Ordinal);
        Assert.Contains("Window is 00:07:00", RefusalOf(_ => { }, options => options.Window = TimeSpan.FromMinutes(7)),
            StringComparison.Ordinal);
        Assert.Contains("at least 00:05:00", RefusalOf(_ => { }, options => options.Window = TimeSpan.FromSeconds(20)),
            StringComparison.Ordinal);
        Validate(silo =>
            silo.AddTrainer(options =>
            (options.StateFolder, options.Forecast, options.Window) = ("state", ForecastKind.Now,
            TimeSpan.FromSeconds(20))));
    }

    [Fact]
    public void Files_of_traces_are_as_long_as_windows_unless_they_are_told_to_be_shorter()
    {
        Assert.Equal(20_000_000, Trace(0).FilePeriodMicroseconds);
        Assert.Equal(200_000, Trace(0).HandOverMicroseconds);
        Assert.Equal(5_000_000, Trace(5_000_000).FilePeriodMicroseconds);
        Assert.Contains("FilePeriodMicroseconds is 7000000",
            RefusalOf(silo =>
            silo.Configure<PolyjuiceOptions>(options => options.Trace.FilePeriodMicroseconds = 7_000_000)),
            StringComparison.Ordinal);

        static TraceRecorderOptions Trace(long period)
        {
            using var host = Build(silo => silo
                .AddTrainer(options =>
                    (options.StateFolder, options.Forecast, options.Window) = ("state", ForecastKind.Now,
                    TimeSpan.FromSeconds(20)))
                .Configure<PolyjuiceOptions>(options => options.Trace.FilePeriodMicroseconds = period));
            return host.Services.GetRequiredService<IOptions<PolyjuiceOptions>>().Value.Trace;
        }
    }

    [Fact]
    public void Options_are_read_from_configuration()
    {
        using var host = Build(silo =>
            silo.AddTrainer((OptionsBuilder<SiloTrainerOptions> options) => options.BindConfiguration("Trainer")),
            configuration: new()
        {
            ["Trainer:StateFolder"] = "state", ["Trainer:Forecast"] = "Now", ["Trainer:Window"] = "00:00:30",
                ["Trainer:MessageTime"] = "00:00:00.0005", ["Trainer:Replays"] = "500",
                ["Trainer:FirstAfterWindows"] = "4",
        });
        Validate(host);

        var options = TrainerFactory.OptionsOf(host.Services.GetRequiredService<IOptions<SiloTrainerOptions>>().Value);

        Assert.Equal(("state", ForecastKind.Now, TimeSpan.FromSeconds(30)),
            (options.StateFolder, options.Forecast, options.Windows.Length));
        Assert.Equal((500L, 500L, 4, 3),
            (options.Settings.NetworkMicroseconds, options.Budget.Evaluations, options.Retraining.FirstAfterWindows,
            options.Retraining.ConfirmingWindows));
        Assert.True(options.HasLowPriority);
        options.Validate();
    }

    private static string RefusalOf(Action<ISiloBuilder> configure, Action<SiloTrainerOptions>? change = null) =>
        Assert.Throws<OrleansConfigurationException>(() => Validate(silo =>
    {
        silo.AddTrainer(options =>
        {
            options.StateFolder = "state";
            change?.Invoke(options);
        });
        configure(silo);
    })).Message;

    private static void Validate(Action<ISiloBuilder> configure)
    {
        using var host = Build(configure);
        Validate(host);
    }

    private static void Validate(IHost host)
    {
        foreach (var validator in host.Services.GetServices<IConfigurationValidator>()
            .OfType<TrainerConfigurationValidator>()) validator.ValidateConfiguration();
    }

    private static IHost Build(Action<ISiloBuilder> configure, bool follows = true, Dictionary<string,
        string?>? configuration = null)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Configuration.AddInMemoryCollection(configuration ?? []);
        builder.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering();
            silo.Configure<PolyjuiceOptions>(options => options.TraceSink = new FileTraceSink("traces"));
            configure(silo);
            silo.UsePolyjuice();
            if (follows) silo.AddFilePolicyStore("policies");
        });
        return builder.Build();
    }
}
