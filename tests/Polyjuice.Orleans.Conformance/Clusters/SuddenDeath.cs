using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// A silo's engine ends the moment that the silo is killed. The test cluster's kill is a stop in a hurry: for some tenths of a second the silo goes on, its partitions pass to others meanwhile, and it brings all
/// transactions that it had begun to their end. A process that is killed does not, and the kit's runner fails unless a client notices.
/// </summary>
internal sealed class SuddenDeath(SiloEngine engine) : ILifecycleParticipant<ISiloLifecycle>
{
    // The last stage to start is the first to stop; who kills does not wait.
    public void Participate(ISiloLifecycle lifecycle) => lifecycle.Subscribe(
        nameof(SuddenDeath),
        ServiceLifecycleStage.Last,
        static _ => Task.CompletedTask,
        cancellationToken => cancellationToken.IsCancellationRequested ? engine.DisposeAsync().AsTask() : Task.CompletedTask);

    public sealed class Configurator : ISiloConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) => siloBuilder.Services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, SuddenDeath>();
    }
}
