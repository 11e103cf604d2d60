using System.Reflection;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization;
using Polyjuice.Contracts;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tracing;

/// <summary>A grain method whose recorded calls are made again, by reflection on Orleans' references.</summary>
internal sealed class CallableMethod(
    IGrainFactory grains, Serializer serializer, GrainType grainType, Type grainInterface,
    MethodInfo method) : ICallableMethod
{
    private readonly ParameterInfo[] _parameters = method.GetParameters();

    /// <inheritdoc/>
    public Func<Task<CallEnd>> Prepare(string grainKey, ReadOnlyMemory<byte> arguments)
    {
        object?[] all;
        object reference;
        try
        {
            all = ArgumentsOf(
                serializer.Deserialize<object?[]>(arguments) ?? throw new InvalidDataException("there are none"));
            reference = grains.GetGrain(GrainId.Create(grainType, grainKey)).AsReference(grainInterface);
        }
        catch (Exception exception)
        {
            // Whatever the serializer makes of bytes that another version of a type has written.
            throw new CallUnknownException(
                $"its arguments can't be read ({exception.Message.TrimEnd('.')})", exception);
        }

        return () => MakeAsync(reference, all);
    }

    private object?[] ArgumentsOf(object?[] recorded)
    {
        var all = new object?[_parameters.Length];
        var next = 0;
        for (var i = 0; i < all.Length; i++)
        {
            var type = _parameters[i].ParameterType;
            if (type == typeof(CancellationToken))
            {
                all[i] = CancellationToken.None;
                continue;
            }

            if (next == recorded.Length) throw new InvalidDataException($"{recorded.Length} were recorded");
            var argument = all[i] = recorded[next++];
            if (argument is null
                ? type.IsValueType && Nullable.GetUnderlyingType(type) is null
                : !type.IsInstanceOfType(argument))
                throw new InvalidDataException(
                    $"{_parameters[i].Name} is {argument?.GetType().ToString() ?? "nothing"}, and not {type}");
        }

        return next == recorded.Length ? all : throw new InvalidDataException($"{recorded.Length} were recorded");
    }

    private async Task<CallEnd> MakeAsync(object reference, object?[] arguments)
    {
        try
        {
            await TaskOf(method.Invoke(reference, BindingFlags.DoNotWrapExceptions, null, arguments, null));
            return new CallEnd(CallOutcome.Committed);
        }
        catch (Exception exception)
        {
            return CallOutcomes.EndOf(exception);
        }
    }

    private static Task TaskOf(object? returned) => returned switch
    {
        Task task => task,
        ValueTask task => task.AsTask(),
        null => Task.CompletedTask,
        _ => (Task)returned.GetType().GetMethod(nameof(ValueTask<>.AsTask))!.Invoke(returned, null)!,
    };
}
