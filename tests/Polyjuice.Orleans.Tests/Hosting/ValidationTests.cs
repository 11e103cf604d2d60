using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Concurrency;
using Orleans.Configuration;
using Orleans.Placement;
using Orleans.Runtime;
using Orleans.Runtime.Placement.Filtering;
using Orleans.Serialization;
using Orleans.Serialization.Serializers;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Hosting;

public sealed class ValidationTests
{
    private readonly PolyjuiceOptions _options = new();

    [Fact]
    public void Grains_that_can_work_are_accepted() => Validate(typeof(AccountGrain), typeof(TellerGrain));

    [Fact]
    public void A_state_that_cannot_be_serialised_is_refused_by_name()
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(typeof(UnserialisableGrain)));
        Assert.Contains(nameof(Unserialisable), exception.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(UnserialisableGrain), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_stateless_worker_with_a_transactional_state_is_refused()
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(typeof(WorkerGrain)));
        Assert.Contains(nameof(WorkerGrain), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_declared_access_to_a_state_that_does_not_exist_is_refused_with_those_that_do()
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(typeof(MisdeclaredGrain)));
        Assert.Contains("[Updates(\"balence\")] on", exception.Message, StringComparison.Ordinal);
        Assert.Contains("'balance'", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_option_out_of_its_range_is_refused_by_name()
    {
        _options.TakeOverTimeout = TimeSpan.Zero;
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate());
        Assert.Contains(nameof(PolyjuiceOptions.TakeOverTimeout), exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 1_024, nameof(PolyjuiceOptions.IdempotencyRetention))]
    [InlineData(366 * 24, 1_024, nameof(PolyjuiceOptions.IdempotencyRetention))]
    [InlineData(1, 63, nameof(PolyjuiceOptions.IdempotentAnswerBytes))]
    [InlineData(1, 1_048_577, nameof(PolyjuiceOptions.IdempotentAnswerBytes))]
    public void What_is_kept_of_calls_with_keys_has_bounds(int hours, int bytes, string option)
    {
        (_options.IdempotencyRetention, _options.IdempotentAnswerBytes) = (TimeSpan.FromHours(hours), bytes);
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate());
        Assert.Contains(option, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_option_of_outboxes_out_of_its_range_is_refused_by_name()
    {
        _options.Outbox.AttemptsMax = 0;
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate());
        Assert.Contains(nameof(OutboxOptions.AttemptsMax), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_option_of_a_client_out_of_its_range_is_refused_by_name()
    {
        var validator = new PolyjuiceClientOptionsValidator(
            Options.Create(new PolyjuiceClientOptions { UnansweredCalls = -1 }));

        var exception = Assert.Throws<OrleansConfigurationException>(validator.ValidateConfiguration);

        Assert.Contains(nameof(PolyjuiceClientOptions), exception.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PolyjuiceClientOptions.UnansweredCalls), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_option_of_the_engine_out_of_its_range_is_refused_by_name()
    {
        _options.Engine.MaxAttempts = 0;
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate());
        Assert.Contains("MaxAttempts", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Logs_that_nobody_added_are_refused_by_name()
    {
        _options.LogProvider = "ledger";
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate());
        Assert.Contains("ledger", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(typeof(ChoosyGrain), "RandomPlacementAttribute")]
    [InlineData(typeof(FilteredGrain), "RequiredMatchSiloMetadataPlacementFilterAttribute")]
    public void A_placement_that_is_not_used_is_named(Type grainClass, string placement)
    {
        var lines = new LogLines("Polyjuice.Orleans");

        Validate(LoggerFactory.Create(logging => logging.AddProvider(lines)), grainClass);

        var (level, text) = Assert.Single(lines.All);
        Assert.Equal(LogLevel.Warning, level);
        Assert.Contains($"asks for {placement}, but", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_group_of_a_class_without_transactional_state_is_refused_with_the_class_and_what_to_do()
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(typeof(StatelessGroupGrain)));

        Assert.Contains(nameof(StatelessGroupGrain), exception.Message, StringComparison.Ordinal);
        Assert.Contains("take [TransactionGroup] off it", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_group_that_can_not_be_is_refused_with_the_class()
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(typeof(DividedTextGrain)));

        Assert.Contains(
            $"{nameof(DividedTextGrain)} declares a transaction group", exception.Message, StringComparison.Ordinal);
    }

    private void Validate(params Type[] classes) => Validate(NullLoggerFactory.Instance, classes);

    private void Validate(ILoggerFactory loggers, params Type[] classes)
    {
        var services = new ServiceCollection().AddSerializer().AddSingleton<IGroupRules, DeclaredGroupRules>()
            .BuildServiceProvider();
        var grains = new GrainTypeOptions();
        grains.Classes.UnionWith(classes);
        new PolyjuiceConfigurationValidator(
            Options.Create(_options), Options.Create(grains), services.GetRequiredService<ICodecProvider>(), services,
            loggers).ValidateConfiguration();
    }

    internal sealed class Unserialisable
    {
        public FileStream? File { get; set; }
    }

    // Abstract, so that no silo takes them for its own.
    internal abstract class UnserialisableGrain(
        [TransactionalState("file")] ITransactionalState<Unserialisable> file) : Grain
    {
        public ITransactionalState<Unserialisable> File => file;
    }

    [TransactionGroup("g")]
    internal abstract class StatelessGroupGrain : Grain, IGrainWithStringKey;

    [TransactionGroup("g", DividedBy = 2)]
    internal abstract class DividedTextGrain(
        [TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain, IGrainWithStringKey
    {
        public ITransactionalState<Balance> Balance => balance;
    }

    internal interface IMisdeclared : IGrainWithStringKey
    {
        [Transaction(TransactionOption.Create)]
        [Updates("balence")]
        Task Update();
    }

    internal abstract class MisdeclaredGrain(
        [TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain, IMisdeclared
    {
        public Task Update() => balance.PerformUpdate(state => state.Value++);
    }

    [RandomPlacement]
    internal abstract class ChoosyGrain([TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain
    {
        public ITransactionalState<Balance> Balance => balance;
    }

#pragma warning disable ORLEANSEXP004 // Orleans may still change the filters that it brings.
    [RequiredMatchSiloMetadataPlacementFilter(["zone"])]
#pragma warning restore ORLEANSEXP004
    internal abstract class FilteredGrain([TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain
    {
        public ITransactionalState<Balance> Balance => balance;
    }

    [StatelessWorker]
    internal abstract class WorkerGrain([TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain
    {
        public ITransactionalState<Balance> Balance => balance;
    }
}
