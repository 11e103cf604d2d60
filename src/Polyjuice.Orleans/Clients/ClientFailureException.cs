using Orleans;
using Orleans.Serialization;

namespace Polyjuice.Orleans.Clients;

/// <summary>
/// Stands for what a client's code has thrown, where that can't be serialised, on its way to the silo that aborts the
/// transaction for it and back. The client puts the exception itself in its place.
/// </summary>
/// <param name="message">What the exception says.</param>
[GenerateSerializer, Alias("Polyjuice.ClientFailureException")]
internal sealed class ClientFailureException(string message) : Exception(message)
{
    /// <summary>What is told to the silo.</summary>
    public static Exception? Of(Exception? failure, Serializer serializer) =>
        failure is null || CanTravel(failure, serializer)
            ? failure
            : new ClientFailureException($"{failure.GetType()}: {failure.Message}");

    private static bool CanTravel(Exception failure, Serializer serializer) =>
        serializer.CanSerialize(failure.GetType())
        && (failure is AggregateException many
            ? many.InnerExceptions.All(inner => CanTravel(inner, serializer))
            : failure.InnerException is not { } cause || CanTravel(cause, serializer));
}
