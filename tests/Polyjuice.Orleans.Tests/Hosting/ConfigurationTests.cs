using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage;
using Polyjuice.Tests.Shared;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tests.Hosting;

/// <summary>What the section <c>Polyjuice</c> of a host's configuration does.</summary>
public sealed class ConfigurationTests
{
    [Fact]
    public void Options_come_from_the_configuration_and_code_goes_before_it()
    {
        using var silo = Silo(
            new()
            {
                ["Policy"] = "ic3", ["StartWait"] = "00:00:07", ["Engine:MaxAttempts"] = "7",
                ["Trace:RecordsCalls"] = "true", ["StateStorage"] = "Log", ["StateStorageOf:rows"] = "Provider",
                ["OpenTransactions"] = "9", ["IdempotencyRetention"] = "2.00:00:00", ["IdempotentAnswerBytes"] = "1024",
                ["Outbox:AttemptsMax"] = "6",
            },
            silo => silo.UsePolyjuice(options => options.OpenTransactions = 10));

        var options = OptionsOf<PolyjuiceOptions>(silo);

        Assert.Equal(
            ("ic3", TimeSpan.FromSeconds(7), 7), (options.Policy, options.StartWait, options.Engine.MaxAttempts));
        Assert.True(options.Trace.RecordsCalls);
        Assert.Equal((StateStorage.Log, StateStorage.Provider), (options.StateStorage, options.StateStorageOf["rows"]));
        Assert.Equal(10, options.OpenTransactions);
        Assert.Equal(6, options.Outbox.AttemptsMax);
        Assert.Equal((TimeSpan.FromDays(2), 1_024), (options.IdempotencyRetention, options.IdempotentAnswerBytes));
    }

    [Fact]
    public void A_second_use_of_Polyjuice_keeps_what_the_first_one_says()
    {
        using var silo = Silo(
            new() { ["Policy"] = "ic3" },
            silo => silo.UsePolyjuice(options => options.Policy = "locking").UsePolyjuice());

        Assert.Equal("locking", OptionsOf<PolyjuiceOptions>(silo).Policy);
    }

    [Fact]
    public async Task Logs_come_from_the_configuration()
    {
        using var folder = new TestFolder();
        using var silo = Silo(new()
        {
            ["Logs:Default:ProviderType"] = "files", ["Logs:Default:Directory"] = folder.File("logs"),
            ["Logs:Default:NewPartitions"] = "3", ["Logs:tests:ProviderType"] = "Memory",
            ["Logs:tests:Partitions"] = "5",
        });

        var (files, memory) = (LogsOf(silo, "Default"), LogsOf(silo, "tests"));

        await using var opened = Assert.IsAssignableFrom<IAsyncDisposable>(
            await files.OpenAsync(CancellationToken.None));
        Assert.Equal(3, ((ILogStore)opened).PartitionCount);
        Assert.True(Directory.Exists(folder.File("logs")));
        Assert.Equal(5, (await memory.OpenAsync(CancellationToken.None)).PartitionCount);
    }

    [Fact]
    public void Code_goes_before_what_the_configuration_says_of_logs()
    {
        using var silo = Silo(
            new() { ["Logs:Default:ProviderType"] = "Files", ["Logs:Default:Directory"] = "there" },
            silo => silo.UsePolyjuice().AddFileLogAsDefault(options => options.Directory = "here"));

        var options = silo.Services.GetRequiredService<IOptionsMonitor<FileLogOptions>>().Get("Default");

        Assert.Equal("here", options.Directory);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Code_goes_before_what_the_configuration_says_of_traces(bool isFirst)
    {
        using var silo = Silo(
            new() { ["Traces:ProviderType"] = "Files", ["Traces:Folder"] = "there" },
            silo => _ = isFirst
                ? silo.AddFileTraces("here").UsePolyjuice()
                : silo.UsePolyjuice().AddFileTraces("here"));

        Assert.Equal("here", Assert.IsType<FileTraceSink>(OptionsOf<PolyjuiceOptions>(silo).TraceSink).Folder);
    }

    [Fact]
    public void Places_of_policies_and_traces_come_from_the_configuration()
    {
        using var folder = new TestFolder();
        using var silo = Silo(new()
        {
            ["PolicyStore:ProviderType"] = "Files", ["PolicyStore:Folder"] = folder.File("policies"),
            ["PolicyStore:PollInterval"] = "00:00:09", ["Traces:ProviderType"] = "Files",
            ["Traces:Folder"] = folder.File("traces"),
        });

        Assert.IsType<FilePolicyEntries>(silo.Services.GetRequiredService<IPolicyEntries>());
        Assert.Equal(TimeSpan.FromSeconds(9), OptionsOf<PublishedPoliciesOptions>(silo).PollInterval);
        Assert.IsType<FileTraceSink>(OptionsOf<PolyjuiceOptions>(silo).TraceSink);
    }

    [Theory]
    [InlineData("Polcy", "ic3", "'Polyjuice:Polcy'", "Policy")]
    [InlineData("Engine:MaxAttempt", "3", "'Polyjuice:Engine:MaxAttempt'", "MaxAttempts")]
    [InlineData("Logs:Default:ProviderType", "Tapes", "'Tapes'", "Files, Memory")]
    [InlineData("Logs:Default:ProviderType", "Redis", "add the package Polyjuice.Storage.Redis", "Files, Memory")]
    [InlineData("Logs:Default:Directory", "there", "'Polyjuice:Logs:Default:ProviderType' is missing", "Files, Memory")]
    [InlineData("PolicyStore:ProviderType", "Files", "'Polyjuice:PolicyStore:Folder' is missing", "")]
    [InlineData("Traces:ProviderType", "Files", "'Polyjuice:Traces:Folder' is missing", "")]
    [InlineData("Healt:AnswerTimeout", "1", "'Polyjuice:Healt'", "Health, ")]
    public void What_nothing_reads_or_is_missing_is_refused_by_name_with_what_there_is(
        string key, string value, string expected, string known)
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Silo(new() { [key] = value }));

        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
        Assert.Contains(known, exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("StartWait", "soon", "a time, as hours:minutes:seconds (00:00:10) between 00:00:00 and 00:10:00")]
    [InlineData("StateStorage", "Logs", "one of Registered, Provider, Log")]
    [InlineData("StateStorageOf:rows", "Logs", "one of Registered, Provider, Log")]
    [InlineData("OpenTransactions", "many", "a whole number between 0 and 1000000")]
    [InlineData("Trace:RecordsCalls", "perhaps", "true or false")]
    [InlineData(
        "Engine:TransactionTimeoutMicroseconds", "10s", "a whole number of microseconds between 1000 and 3600000000")]
    public void A_value_that_can_not_be_read_is_refused_by_name_with_what_it_must_be(
        string key, string value, string expected)
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Silo(new() { [key] = value }));

        Assert.Contains($"'Polyjuice:{key}' is '{value}'", exception.Message, StringComparison.Ordinal);
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_policy_that_is_no_file_is_refused_with_its_option_its_key_and_the_built_in_ones()
    {
        using var silo = Silo(new() { ["Policy"] = "nofile.json" });

        var exception = Assert.Throws<OrleansConfigurationException>(
            () => silo.Services.GetRequiredService<PolicyStore>());

        string[] parts = ["PolyjuiceOptions.Policy", "'Polyjuice:Policy'", Path.GetFullPath("nofile.json"), "occ, "];
        foreach (var part in parts) Assert.Contains(part, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_out_of_its_bounds_is_refused_with_its_name_itself_and_the_bounds()
    {
        using var silo = Silo(new() { ["StartWait"] = "00:20:00", ["Engine:MaxAttempts"] = "0" });

        var exception = Assert.Throws<OrleansConfigurationException>(
            () => silo.Services.GetServices<IConfigurationValidator>().ToList()
                .ForEach(one => one.ValidateConfiguration()));

        Assert.Contains("PolyjuiceOptions.StartWait is 00:20:00", exception.Message, StringComparison.Ordinal);
        Assert.Contains("00:10:00", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Default:NewPartitions", "0", "FileLogOptions of the log 'Default': NewPartitions is 0:", 1)]
    [InlineData("tests:Partitions", "70000", "MemoryLogOptions of the log 'tests': Partitions is 70000:", 0)]
    public void Logs_out_of_their_bounds_are_refused_with_their_name_the_options_and_its_value(
        string key, string value, string expected, int least)
    {
        using var silo = Silo(new()
        {
            ["Logs:Default:ProviderType"] = "Files", ["Logs:tests:ProviderType"] = "Memory", [$"Logs:{key}"] = value,
        });

        var exception = Assert.ThrowsAny<Exception>(
            () => silo.Services.GetRequiredService<IStartupValidator>().Validate());

        Assert.Contains(expected, exception.ToString(), StringComparison.Ordinal);
        Assert.Contains($"must be between {least} and 65536", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_number_of_engines_out_of_its_bounds_is_refused_with_them()
    {
        using var silo = Silo(new() { ["EnginesPerSilo"] = "17" });

        var exception = Assert.Throws<OrleansConfigurationException>(
            () => silo.Services.GetServices<IConfigurationValidator>().ToList()
                .ForEach(one => one.ValidateConfiguration()));

        Assert.Contains("PolyjuiceOptions.EnginesPerSilo is 17", exception.Message, StringComparison.Ordinal);
        Assert.Contains("between 1 and 16", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Memory", "ConnectionName")]
    [InlineData("Files", "ServiceKey")]
    public void Logs_without_a_server_refuse_what_names_one(string provider, string key)
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Silo(new()
        {
            ["Logs:Default:ProviderType"] = provider, [$"Logs:Default:{key}"] = "here",
        }));

        Assert.Contains($"'Polyjuice:Logs:Default:{key}'", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Health_checks_have_options_in_the_configuration_and_the_view_has_a_section_of_its_own()
    {
        var builder = Builder(new() { ["Health:AnswerTimeout"] = "00:00:03", ["LiveView:Title"] = "Bank" });
        builder.UseOrleans(silo => silo.UseLocalhostClustering().UsePolyjuice());
        builder.Services.AddHealthChecks().AddPolyjuice(options => options.OverloadWindow = TimeSpan.FromSeconds(4));
        using var host = builder.Build();

        var options = OptionsOf<PolyjuiceHealthOptions>(host);

        Assert.Equal(
            (TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(4)), (options.AnswerTimeout, options.OverloadWindow));
    }

    [Theory]
    [InlineData("AnswerTimeout", "00:00:00", "PolyjuiceHealthOptions.AnswerTimeout is 00:00:00:")]
    [InlineData("AnswerTime", "1", "'Polyjuice:Health:AnswerTime'")]
    public void Wrong_options_of_health_checks_are_refused_by_name(string key, string value, string expected)
    {
        var builder = Builder(new() { [$"Health:{key}"] = value });
        builder.Services.AddHealthChecks().AddPolyjuice();
        using var host = builder.Build();

        var exception = Assert.ThrowsAny<Exception>(() => OptionsOf<PolyjuiceHealthOptions>(host));

        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_client_has_options_in_the_configuration_too()
    {
        var builder = Builder(new() { ["UnansweredCalls"] = "3" });
        builder.UseOrleansClient(client => client.UseLocalhostClustering().UsePolyjuice());
        using var host = builder.Build();

        Assert.Equal(3, OptionsOf<PolyjuiceClientOptions>(host).UnansweredCalls);
        Assert.Equal(3, host.Services.GetRequiredService<UnansweredCalls>().Limit);
    }

    [Theory]
    [InlineData("Logs:Defualt:ProviderType", "Files", "'Defualt'", "AddFileLogAsDefault")]
    [InlineData("LogProvider", "main", "PolyjuiceOptions.LogProvider is 'main'", "Added: 'Default', 'tests'")]
    [InlineData("LogProvider", "tests2", "PolyjuiceOptions.LogProvider is 'tests2'", "AddFileLog(\"tests2\"")]
    public void Logs_that_nobody_uses_or_has_added_are_refused_with_their_name_and_what_there_is(
        string key, string value, string expected, string help)
    {
        var configuration = new Dictionary<string, string?> { ["Logs:Default:ProviderType"] = "Memory" };
        if (key == "LogProvider") configuration["Logs:tests:ProviderType"] = "Memory";
        configuration[key] = value;
        using var silo = Silo(configuration);

        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(silo));

        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
        Assert.Contains(help, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Logs_that_are_chosen_by_their_name_may_stand_beside_the_default_ones()
    {
        using var silo = Silo(new()
        {
            ["Logs:Default:ProviderType"] = "Memory", ["Logs:tests:ProviderType"] = "Memory", ["LogProvider"] = "tests",
        });

        Validate(silo);
    }

    private static void Validate(IHost silo) =>
        silo.Services.GetServices<IConfigurationValidator>().ToList().ForEach(one => one.ValidateConfiguration());

    private static IHost Silo(Dictionary<string, string?> polyjuice, Action<ISiloBuilder>? use = null)
    {
        var builder = Builder(polyjuice);
        builder.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering();
            if (use is null) silo.UsePolyjuice();
            else use(silo);
        });
        return builder.Build();
    }

    private static HostApplicationBuilder Builder(Dictionary<string, string?> polyjuice)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(
            polyjuice.Select(pair => KeyValuePair.Create($"Polyjuice:{pair.Key}", pair.Value)));
        return builder;
    }

    private static TOptions OptionsOf<TOptions>(IHost host) where TOptions : class =>
        host.Services.GetRequiredService<IOptions<TOptions>>().Value;

    private static ILogStoreProvider LogsOf(IHost host, string name) =>
        host.Services.GetRequiredKeyedService<ILogStoreProvider>(name);
}
