using System.ComponentModel.DataAnnotations;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

/// <summary>Refuses, at start and by name, what could not work.</summary>
internal static class OptionsCheck
{
    /// <summary>Checks the ranges that an options class's attributes name.</summary>
    public static void Ranges(object options)
    {
        var results = new List<ValidationResult>();
        if (Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true)) return;
        throw new OrleansConfigurationException($"{options.GetType().Name}: {string.Join(" ", results.Select(result => result.ErrorMessage))}");
    }

    /// <summary>Refuses what a host decides elsewhere: an option that is set and does nothing is worse than an error.</summary>
    public static void HasEffectInHost(EmbeddedClusterOptions options)
    {
        var defaults = new EmbeddedClusterOptions();
        Refuse(options.PolicyName != defaults.PolicyName, nameof(options.PolicyName), $"set {nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.Policy)}, as in silo.UsePolyjuice(options => …)");
        Refuse(options.Policy is not null, nameof(options.Policy), $"set {nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.PolicyCompiler)}, as in silo.UsePolyjuice(options => …)");
        Refuse(options.ConfigureServices is not null, nameof(options.ConfigureServices), "add the services to the host");
        Refuse(options.TraceSink is not null, nameof(options.TraceSink), $"set {nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.TraceSink)}, as in silo.UsePolyjuice(options => …)");
        foreach (var property in typeof(EngineOptions).GetProperties())
        {
            Refuse(
                !Equals(property.GetValue(options.Engine), property.GetValue(defaults.Engine)), $"{nameof(options.Engine)}.{property.Name}",
                $"set it in {nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.Engine)}, as in silo.UsePolyjuice(options => …)");
        }

        static void Refuse(bool isSet, string name, string instead)
        {
            if (isSet) throw new OrleansConfigurationException($"{nameof(EmbeddedClusterOptions)}.{name} has no effect in a host: {instead}.");
        }
    }

    /// <summary>Checks that what methods declare that they access exists.</summary>
    public static void DeclaredAccesses(GrainTypeMap types, EmbeddedClusterOptions options)
    {
        var catalogue = new GrainCatalogue(types, options);
        foreach (var method in types.Interfaces.Values.SelectMany(known => known.Methods))
        {
            if (method.DeclaredBy?.Invoke() is not { } declaring) continue;
            try
            {
                Reconnaissance.DeclaredAccesses.Of(declaring, catalogue);
            }
            catch (InvalidOperationException exception)
            {
                throw new OrleansConfigurationException(exception.Message, exception);
            }
        }
    }

    /// <summary>Checks that transactional states can be copied and stored.</summary>
    public static void States(GrainTypeMap types)
    {
        foreach (var grainClass in types.Classes)
        {
            foreach (var state in grainClass.Constructor.States)
            {
                try
                {
                    state.Validate();
                }
                catch (Exception exception) when (exception is CodecNotFoundException or InvalidOperationException)
                {
                    throw new OrleansConfigurationException(
                        $"Grain class {grainClass.Type} can't have a transactional state of type {state.Type}: {exception.Message}", exception);
                }
            }
        }
    }
}
