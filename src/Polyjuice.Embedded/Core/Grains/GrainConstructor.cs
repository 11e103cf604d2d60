using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Embedded.Core;

/// <summary>Makes a grain class's instances: transactional states by their attribute, everything else from the services. Thread-safe.</summary>
internal sealed class GrainConstructor
{
    private readonly ConstructorInvoker _invoker;
    private readonly Func<Activation, object?>[] _arguments;

    public GrainConstructor(Type grainType)
    {
        var constructor = Choose(grainType);
        _invoker = ConstructorInvoker.Create(constructor);
        _arguments = [.. constructor.GetParameters().Select(parameter => Resolver(grainType, parameter))];
        States = [.. constructor.GetParameters().Select(StateOf).OfType<TransactionalStateDeclaration>()];
        var twice = States.GroupBy(state => state.Name).FirstOrDefault(group => group.Count() > 1);
        if (twice is not null) throw new OrleansConfigurationException($"{grainType} has two transactional states named \"{twice.Key}\".");
    }

    /// <summary>The transactional states that the constructor asks for.</summary>
    public IReadOnlyList<TransactionalStateDeclaration> States { get; }

    /// <summary>Makes an instance for an activation.</summary>
    public object Create(Activation activation)
    {
        var arguments = new object?[_arguments.Length];
        for (var i = 0; i < arguments.Length; i++) arguments[i] = _arguments[i](activation);
        return _invoker.Invoke(arguments.AsSpan());
    }

    private static ConstructorInfo Choose(Type grainType)
    {
        var constructors = grainType.GetConstructors();
        if (constructors.Length == 0) throw new OrleansConfigurationException($"Grain class {grainType} has no public constructor.");
        return constructors.FirstOrDefault(constructor => constructor.IsDefined(typeof(ActivatorUtilitiesConstructorAttribute)))
            ?? constructors.MaxBy(constructor => constructor.GetParameters().Length)!;
    }

    private static TransactionalStateDeclaration? StateOf(ParameterInfo parameter)
    {
        if (parameter.GetCustomAttribute<TransactionalStateAttribute>() is not { } attribute) return null;
        return new(attribute.StateName, attribute.StorageName, parameter.ParameterType.GetGenericArguments()[0]);
    }

    private static Func<Activation, object?> Resolver(Type grainType, ParameterInfo parameter)
    {
        var type = parameter.ParameterType;
        if (parameter.IsDefined(typeof(TransactionalStateAttribute)))
        {
            if (!type.IsGenericType || type.GetGenericTypeDefinition() != typeof(ITransactionalState<>))
                throw new OrleansConfigurationException($"Parameter {parameter.Name} of {grainType}'s constructor has [TransactionalState] and is not an ITransactionalState<T>.");
            var state = StateOf(parameter)!;
            return activation => state.Create(activation);
        }

        if (type == typeof(IGrainContext)) return activation => activation;
        if (parameter.HasDefaultValue) return activation => activation.ActivationServices.GetService(type) ?? parameter.DefaultValue;
        return activation => activation.ActivationServices.GetRequiredService(type);
    }
}
