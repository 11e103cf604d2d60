using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;
using Polyjuice.Embedded.Tests.Refused;

namespace Polyjuice.Embedded.Tests.RealTime
{
    public sealed class RefusalTests
    {
        [Theory]
        [InlineData(typeof(UncopyableStateGrain), nameof(Uncopyable))]
        [InlineData(typeof(SameNameTwiceGrain), "\"same\"")]
        [InlineData(typeof(WrongPredicateGrain), "Missing")]
        [InlineData(typeof(MisdeclaredGrain), "[Updates(\"balence\")] on")]
        public async Task A_grain_class_that_cannot_work_is_refused_at_start_by_name(Type grainClass, string detail)
        {
            var refusal = await Assert.ThrowsAsync<OrleansConfigurationException>(
                () => EmbeddedCluster.StartAsync(new() { GrainClassFilter = type => type == grainClass }));
            Assert.Contains(grainClass.Name, refusal.Message);
            Assert.Contains(detail, refusal.Message);
        }

        [Theory]
        [InlineData(nameof(EmbeddedClusterOptions.Silos))]
        [InlineData(nameof(EmbeddedClusterOptions.ResponseTimeout))]
        [InlineData(nameof(EmbeddedClusterOptions.NetworkLatency))]
        [InlineData("TransactionTimeoutMicroseconds")]
        public async Task An_option_out_of_range_is_refused_by_name(string option)
        {
            var options = new EmbeddedClusterOptions();
            switch (option)
            {
                case nameof(EmbeddedClusterOptions.Silos):
                    options.Silos = 0;
                    break;
                case nameof(EmbeddedClusterOptions.ResponseTimeout):
                    options.ResponseTimeout = TimeSpan.Zero;
                    break;
                case nameof(EmbeddedClusterOptions.NetworkLatency):
                    options.NetworkLatency = TimeSpan.FromMinutes(1);
                    break;
                default:
                    options.Engine.TransactionTimeoutMicroseconds = 1;
                    break;
            }

            var refusal = await Assert.ThrowsAsync<OrleansConfigurationException>(() => EmbeddedCluster.StartAsync(options));
            Assert.Contains(option, refusal.Message);
        }

        [Fact]
        public async Task An_unknown_policy_is_refused_with_the_list_of_known_ones()
        {
            var refusal = await Assert.ThrowsAsync<ArgumentException>(() => EmbeddedCluster.StartAsync(new() { PolicyName = "wishful", GrainClassFilter = _ => false }));
            Assert.Contains("occ", refusal.Message);
        }

        [Fact]
        public async Task Partitions_must_be_those_of_the_log_store()
        {
            var refusal = await Assert.ThrowsAsync<OrleansConfigurationException>(
                () => EmbeddedCluster.StartAsync(new() { LogStore = new Storage.MemoryLogStore(3), Partitions = 2, GrainClassFilter = _ => false }));
            Assert.Contains("Partitions", refusal.Message);
        }
    }
}

namespace Polyjuice.Embedded.Tests.Refused
{
    public interface IRefused : IGrainWithStringKey
    {
        Task Nothing();
    }

    public sealed class Uncopyable
    {
        public StringWriter? Writer { get; set; }
    }

    public sealed class UncopyableStateGrain([TransactionalState("state")] ITransactionalState<Uncopyable> state) : Grain, IRefused
    {
        public Task Nothing() => state.PerformRead(_ => 0);
    }

    public sealed class SameNameTwiceGrain(
        [TransactionalState("same")] ITransactionalState<RealTime.Balance> first, [TransactionalState("same")] ITransactionalState<RealTime.Balance> second) : Grain, IRefused
    {
        public Task Nothing() => Task.WhenAll(first.PerformRead(_ => 0), second.PerformRead(_ => 0));
    }

    public interface IMisdeclared : IGrainWithStringKey
    {
        [Transaction(TransactionOption.Create)]
        [Updates("balence")]
        Task Update();
    }

    public sealed class MisdeclaredGrain([TransactionalState("balance")] ITransactionalState<RealTime.Balance> balance) : Grain, IMisdeclared
    {
        public Task Update() => balance.PerformUpdate(state => state.Value++);
    }

    [MayInterleave("Missing")]
    public sealed class WrongPredicateGrain : Grain, IRefused
    {
        public Task Nothing() => Task.CompletedTask;
    }
}
