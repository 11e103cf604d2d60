using SiloHosting.Api;
using SiloHosting.Settings;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Training.Orleans;

namespace SiloHosting.Training;

/// <summary>What the cluster's trainer is at, over HTTP, from any silo.</summary>
internal static class TrainerApi
{
    /// <summary>Adds the endpoint.</summary>
    /// <param name="routes">Where to.</param>
    /// <param name="services">The silo's.</param>
    public static void Map(RouteGroupBuilder routes, IServiceProvider services) =>
        routes.MapGet(SiloEndpoints.Trainer, async context =>
        {
            if (!services.GetRequiredService<TrainerSettings>().Enabled)
            {
                await Refusal.WriteAsync(
                    context,
                    StatusCodes.Status404NotFound,
                    $"The silos have no trainer: {TrainerSettings.Section}:{nameof(TrainerSettings.Enabled)} says so.");
                return;
            }

            try
            {
                await context.Response.WriteAsJsonAsync(
                    await services.GetRequiredService<IGrainFactory>().GetTrainer().GetReport(),
                    context.RequestAborted);
            }
            catch (Exception exception)
                when (exception is OrleansException or TimeoutException or InvalidOperationException
                    && !context.Response.HasStarted)
            {
                // This silo has not started yet, or the trainer's has just died.
                context.Response.Headers.RetryAfter = "1";
                await Refusal.WriteAsync(
                    context,
                    StatusCodes.Status503ServiceUnavailable,
                    $"The trainer can't be reached now: {exception.Message}");
            }
        });
}
