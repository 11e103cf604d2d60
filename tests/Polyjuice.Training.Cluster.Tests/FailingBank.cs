using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Hosting;

namespace Polyjuice.Training.Cluster.Tests;

/// <summary>Ways in which the application fails in test clusters.</summary>
internal static class FailingBank
{
    private const int CallsBefore = 5;

    /// <summary>A silo ends while calls are made.</summary>
    /// <param name="application">The application.</param>
    /// <param name="when">Whether one of the cluster does that is about to start.</param>
    public static TrainedApplication Dying(this TrainedApplication application, Func<bool> when) => application with
    {
        ConfigureSilo = silo =>
        {
            application.ConfigureSilo?.Invoke(silo);
            if (!when()) return;
            var calls = 0;
            silo.AddIncomingGrainCallFilter(async context =>
            {
                if (context.InterfaceMethod.DeclaringType?.Namespace == "BankAccount.Grains"
                    && Interlocked.Increment(ref calls) == CallsBefore)
                    context.TargetContext.ActivationServices.GetRequiredService<IHostApplicationLifetime>()
                        .StopApplication();
                await context.Invoke();
            });
        },
    };

    /// <summary>No silo starts.</summary>
    public static TrainedApplication NotStarting(this TrainedApplication application) => application with
    {
        ConfigureSilo = static _ => throw new InvalidOperationException("there is no such database"),
    };

    /// <summary>Every transfer ends by an exception that has nothing to do with money.</summary>
    public static TrainedApplication Throwing(this TrainedApplication application) => application with
    {
        ConfigureSilo = static silo => silo.AddIncomingGrainCallFilter(static context =>
            context.InterfaceMethod.Name == "Transfer"
                ? throw new NotSupportedException("no clock")
                : context.Invoke()),
    };
}
