using BankSilo.Clustering;
using BankSilo.Health;
using BankSilo.Policies;
using BankSilo.Settings;
using BankSilo.Telemetry;
using BankSilo.Tracing;
using BankSilo.Training;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;

namespace BankSilo;

/// <summary>Puts the program together.</summary>
internal static partial class BankSiloHost
{
    /// <summary>Makes the host from files, the environment and the command line, which count in this order.</summary>
    /// <exception cref="OptionsValidationException">A setting is out of its bounds; the message names it.</exception>
    public static IHost Build(string[] args)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Configuration
            .AddSiloFiles(Environment.GetEnvironmentVariable(SiloFiles.FolderVariable))
            .AddEnvironmentVariables()
            .AddCommandLine(args);
        builder.Logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);
        builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging")).AddSimpleConsole(console => console.SingleLine = true);

        var services = builder.Services;
        services.AddOptions<SiloSettings>().BindConfiguration(SiloSettings.Section).ValidateDataAnnotations().ValidateOnStart();
        var settings = builder.Configuration.GetSection(SiloSettings.Section).Get<SiloSettings>() ?? new();
        var trainer = builder.Configuration.GetSection(TrainerSettings.Section).Get<TrainerSettings>() ?? new();
        SettingsCheck.Validate(settings, trainer);

        services.Configure<HostOptions>(options => options.ShutdownTimeout = settings.DrainTimeout);
        services.AddSingleton(trainer);
        services.AddBankHealth();
        services.AddSingleton<WorkGate>();
        services.AddSingleton<PrometheusMetrics>();
        services.AddPolyjuiceLiveView(view => view.Title = $"Bank: {settings.Name ?? Environment.MachineName}");
        services.AddHostedService<WebServer>();
        services.AddHostedService<OtlpExport>();
        builder.UseOrleans(silo => silo
            .UseClustering(settings)
            .AddLogs(settings)
            .UsePolyjuice((OptionsBuilder<PolyjuiceOptions> options) => options.BindConfiguration(SiloSettings.PolyjuiceSection))
            .FollowPolicies(settings)
            .AddTraces(settings)
            .TrainTables(trainer));
        var host = builder.Build();
        SayUnknown(host);
        return host;
    }

    private static void SayUnknown(IHost host)
    {
        var unknown = UnknownSettings.Of(host.Services.GetRequiredService<IConfiguration>()).ToList();
        if (unknown.Count == 0) return;
        NotRead(
            host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("BankSilo"), string.Join(", ", unknown));
    }

    [LoggerMessage(1, LogLevel.Warning, "These settings are not known, and nothing reads them: {Settings}. Look for typing mistakes.")]
    private static partial void NotRead(ILogger logger, string settings);
}
